import type Stripe from 'stripe'
import { CouponNotValidError, type PaymentGateway, type PortalDestination } from '../payment-gateway.ts'
import { idOf } from './connection.ts'
import { isRefusal } from './failures.ts'

type Discount = { promotion_code: string } | { coupon: string }

/** The pages of Stripe's that members are sent to. */
export function pagesAt(stripe: Stripe): Pick<PaymentGateway, 'startCheckout' | 'openPortal'> {
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

  return {
    async startCheckout({ customerId, memberId, appId, priceId, coupon, successUrl, cancelUrl }) {
      const metadata = { member: memberId, app: appId }
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        ui_mode: 'hosted_page',
        customer: customerId,
        client_reference_id: memberId,
        line_items: [{ price: priceId, quantity: 1 }],
        success_url: successUrl,
        cancel_url: cancelUrl,
        metadata,
        subscription_data: { metadata },
        ...(coupon === null
          ? { allow_promotion_codes: true }
          : { discounts: [await findDiscount(coupon, customerId)] }),
      })
      return { url: addressOf(session) }
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
