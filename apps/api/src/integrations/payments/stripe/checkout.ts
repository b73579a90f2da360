import type Stripe from 'stripe'
import {
  AlreadyPaidError,
  CouponNotValidError,
  type PaymentGateway,
  type PortalDestination,
  type Subscription,
} from '../payment-gateway.ts'
import { expireCheckout } from './checkout-sessions.ts'
import { idOf, pageSize, type Tax } from './client.ts'
import { isRefusal } from './errors.ts'

/** Stripe computes tax from an address, and stores both the address and the tax id with the customer. */
const taxed = {
  automatic_tax: { enabled: true },
  billing_address_collection: 'required',
  tax_id_collection: { enabled: true },
  customer_update: { address: 'auto', name: 'auto' },
} satisfies Partial<Stripe.Checkout.SessionCreateParams>

type Discount = { promotion_code: string } | { coupon: string }

/** The pages of Stripe's that members are sent to. */
export function stripeCheckout(
  stripe: Stripe,
  tax: Tax,
): Pick<PaymentGateway, 'startCheckout' | 'openPortal'> {
  /** Only a code that the merchant has made for members to type, or a coupon marked as public, counts. */
  async function findDiscount(code: string, customerId: string): Promise<Discount> {
    const { data: found } = await stripe.promotionCodes.list({ code, active: true, limit: 100 })
    // The same code may stand for several customers, for each in a form of their own.
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
   * Expires every open checkout of the customer but the one with the highest number, which it returns. Two calls at once
   * agree on it, because each lists the sessions after it has created its own.
   */
  async function keepLast(
    created: Stripe.Checkout.Session,
    customer: string,
    known: readonly Pick<Subscription, 'id'>[],
  ): Promise<Stripe.Checkout.Session> {
    const { data } = await stripe.checkout.sessions.list({ customer, limit: pageSize })
    const ours = data.filter(
      ({ mode, metadata }) => mode === 'subscription' && metadata?.app === created.metadata?.app,
    )
    const open = ours.filter(({ status }) => status === 'open')
    const last = open.reduce((one, other) => (numberOf(other) > numberOf(one) ? other : one), created)
    const ids = new Set(known.map(({ id }) => id))
    let isPaid = ours.some(({ subscription }) => subscription !== null && !ids.has(idOf(subscription)))
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
      return { url: addressOf(await keepLast(session, customerId, order.known)) }
    },
    async openPortal({ customerId, configurationId, returnUrl, destination }) {
      const { url } = await stripe.billingPortal.sessions.create({
        customer: customerId,
        configuration: configurationId,
        return_url: returnUrl,
        ...flowTo(destination),
      })
      return { url }
    },
  }
}

/** Sessions are numbered in the order in which the member asked for them. */
function numberOf({ metadata }: Stripe.Checkout.Session): number {
  return Number(metadata?.checkout ?? 0)
}

function addressOf({ id, url }: Stripe.Checkout.Session): string {
  if (url === null) throw new Error(`Stripe gave the checkout ${id} no page`)
  return url
}

function flowTo(destination: PortalDestination): Stripe.BillingPortal.SessionCreateParams {
  if (destination.kind === 'overview') return {}
  const { subscription, priceId, doneUrl } = destination
  return {
    flow_data: {
      type: 'subscription_update_confirm',
      subscription_update_confirm: {
        subscription: subscription.id,
        items: [{ id: subscription.itemId, price: priceId, quantity: 1 }],
      },
      after_completion: { type: 'redirect', redirect: { return_url: doneUrl } },
    },
  }
}
