import type Stripe from 'stripe'
import { AlreadyPaidError, CouponNotValidError } from '#integrations/payments/gateway-errors.ts'
import type { OwnSales, PaymentGateway, Subscription } from '#integrations/payments/payment-gateway.ts'
import { idOf, pageSize, type Tax } from '../client/client.ts'
import { isRefusal } from '../client/errors.ts'
import { isOwn, isOwnCheckout } from './subscription-mapper.ts'

/** Stripe computes tax from an address, and stores the address and tax id with the customer. */
const taxed = {
  automatic_tax: { enabled: true },
  billing_address_collection: 'required',
  tax_id_collection: { enabled: true },
  customer_update: { address: 'auto', name: 'auto' },
} satisfies Partial<Stripe.Checkout.SessionCreateParams>

type Discount = { promotion_code: string } | { coupon: string }

export function stripeCheckout(stripe: Stripe, tax: Tax): Pick<PaymentGateway, 'startCheckout'> {
  /** Accepts only promotion codes and coupons marked as public. */
  async function findDiscount(code: string, customerId: string): Promise<Discount> {
    const { data: found } = await stripe.promotionCodes.list({ code, active: true, limit: 100 })
    // Several customers may have the same code, each their own promotion code.
    const promotionCode = found.find(({ customer }) => customer === null || idOf(customer) === customerId)
    if (promotionCode) return { promotion_code: promotionCode.id }
    if (await isPublicCoupon(code)) return { coupon: code }
    throw new CouponNotValidError('neither an active promotion code nor a public coupon')
  }

  async function isPublicCoupon(id: string): Promise<boolean> {
    try {
      return (await stripe.coupons.retrieve(id)).metadata?.public === 'true'
    } catch (error) {
      if (isRefusal(error)) return false
      throw error
    }
  }

  /**
   * Expires every open checkout of the customer except the one with the highest number, which it returns. Concurrent
   * calls agree on it, because each lists the sessions after it has created its own.
   */
  async function keepLast(
    created: Stripe.Checkout.Session,
    customer: string,
    { known, own }: { known: readonly Pick<Subscription, 'id'>[]; own: OwnSales },
  ): Promise<Stripe.Checkout.Session> {
    const expand = ['data.line_items', 'data.subscription']
    const { data } = await stripe.checkout.sessions.list({ customer, limit: pageSize, expand })
    const ours = data.filter((one) => one.mode === 'subscription' && isOwnCheckout(one, own))
    const open = ours.filter(({ status }) => status === 'open')
    const last = open.reduce((one, other) => (numberOf(other) > numberOf(one) ? other : one), created)
    const ids = new Set(known.map(({ id }) => id))
    // A subscription that the merchant has moved to another product is no longer ours.
    let isPaid = ours.some(
      ({ subscription: made }) =>
        made !== null && typeof made === 'object' && !ids.has(made.id) && isOwn(made, own),
    )
    for (const { id } of open) {
      if (id !== last.id && !(await expireCheckout(stripe, id))) isPaid = true
    }
    if (!isPaid) return last
    await expireCheckout(stripe, last.id)
    throw new AlreadyPaidError(`an earlier checkout of ${customer} was paid`)
  }

  return {
    async startCheckout({ customerId, memberId, appId, priceId, coupon, successUrl, cancelUrl, ...order }) {
      const metadata = { member: memberId, app: appId }
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        ui_mode: 'hosted_page',
        customer: customerId,
        client_reference_id: memberId,
        line_items: [{ price: priceId, quantity: 1 }],
        success_url: successUrl,
        cancel_url: cancelUrl,
        metadata: { ...metadata, checkout: order.number },
        subscription_data: { metadata },
        ...(tax === null ? {} : taxed),
        ...(coupon === null
          ? { allow_promotion_codes: true }
          : { discounts: [await findDiscount(coupon, customerId)] }),
      })
      const { id, url } = await keepLast(session, customerId, order)
      if (url === null) throw new Error(`Stripe returned no URL for checkout ${id}`)
      return { url }
    },
  }
}

/** Expires an open checkout session. Returns false only if it was paid meanwhile. */
export async function expireCheckout(stripe: Stripe, id: string): Promise<boolean> {
  try {
    await stripe.checkout.sessions.expire(id)
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { status } = await stripe.checkout.sessions.retrieve(id)
    if (status === 'open') throw error
    return status !== 'complete'
  }
}

function numberOf({ metadata }: Stripe.Checkout.Session): number {
  return Number(metadata?.checkout ?? 0)
}
