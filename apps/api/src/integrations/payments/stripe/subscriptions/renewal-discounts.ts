import type Stripe from 'stripe'
import { addMonths, type DiscountTerm } from '#integrations/payments/discount-terms.ts'
import { PaymentsRefusedError } from '#integrations/payments/gateway-errors.ts'
import { idOf } from '../client.ts'
import { isMissing } from '../errors.ts'
import { itemOf, nextPhaseOf } from './subscription-mapper.ts'

/** The fields of a subscription that Stripe must expand for its discounts, at most four levels deep. */
export const discountParts = [
  'discounts.source.coupon',
  'customer.discount.source.coupon',
  'schedule.phases.discounts.discount',
  'schedule.phases.discounts.promotion_code',
]

/** A discount of renewals, and how a preview names it. */
export type RenewalDiscount = DiscountTerm & { named: Stripe.InvoiceCreatePreviewParams.Discount }

type Phase = Stripe.SubscriptionSchedule.Phase
type PhaseDiscount = Stripe.SubscriptionSchedule.Phase.Discount

/** Reads which discounts renewals have. Without any, a subscription has its customer's. */
export function stripeRenewalDiscounts(stripe: Stripe) {
  async function findCoupon(id: string): Promise<Stripe.Coupon | null> {
    try {
      return await stripe.coupons.retrieve(id)
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  /** Returns a discount that the phase keeps with its end, or one that begins with the phase. */
  async function ofEntry(
    { discount, coupon, promotion_code: code }: PhaseDiscount,
    { discounts }: Stripe.Subscription,
    startsAt: number,
  ): Promise<RenewalDiscount[]> {
    if (discount !== null) {
      const own = discounts.filter(isExpanded).find(({ id }) => id === idOf(discount))
      if (own !== undefined) return [existing(own)]
      return isExpanded(discount) ? [await ofRemoved(discount)] : []
    }
    const couponId = coupon ?? (isExpanded(code) ? code.promotion.coupon : null)
    const found = couponId === null ? null : await findCoupon(idOf(couponId))
    return found === null || !isRedeemable(found, startsAt) ? [] : [beginning(found, startsAt)]
  }

  /**
   * A phase keeps a discount that the subscription has lost. Stripe previews it by its coupon, while that is valid. Throws
   * {@link PaymentsRefusedError} otherwise.
   */
  async function ofRemoved({ id, end, source }: Stripe.Discount): Promise<RenewalDiscount> {
    const coupon = source.coupon === null ? null : await findCoupon(idOf(source.coupon))
    if (coupon?.valid !== true) throw new PaymentsRefusedError(`no preview of the removed discount ${id}`)
    return { end, duration: durationOf(end, coupon), named: { coupon: coupon.id } }
  }

  return {
    /** Returns the discounts after the current period: those of the phase in which a scheduled price starts. */
    async discountsAtPrice(now: Stripe.Subscription, priceId: string): Promise<RenewalDiscount[]> {
      const phase = itemOf(now).price.id === priceId ? undefined : nextPhase(now)
      if (phase === undefined) return discountsOf(now)
      const kept: RenewalDiscount[] = []
      for (const entry of phase.discounts ?? []) kept.push(...(await ofEntry(entry, now, phase.start_date)))
      return orCustomers(kept, now)
    },
  }
}

/** Returns the discounts of a subscription without its schedule. */
export function discountsOf(now: Stripe.Subscription): RenewalDiscount[] {
  return orCustomers(now.discounts.filter(isExpanded).map(existing), now)
}

function orCustomers(discounts: RenewalDiscount[], { customer }: Stripe.Subscription): RenewalDiscount[] {
  const inherited = typeof customer === 'string' || customer.deleted ? null : customer.discount
  return discounts.length === 0 && inherited ? [existing(inherited)] : discounts
}

function existing({ id, end, source: { coupon } }: Stripe.Discount): RenewalDiscount {
  return { end, duration: durationOf(end, isExpanded(coupon) ? coupon : null), named: { discount: id } }
}

/** Returns whether a discount of a coupon can begin at a time. */
function isRedeemable({ valid, redeem_by: until }: Stripe.Coupon, startsAt: number): boolean {
  return valid && (until === null || until > startsAt)
}

function beginning(coupon: Stripe.Coupon, startsAt: number): RenewalDiscount {
  const { id, duration_in_months: months } = coupon
  const end = months === null ? null : addMonths(startsAt, months)
  return { end, duration: durationOf(end, coupon), named: { coupon: id } }
}

/** Stripe tells nothing about a deleted coupon, whose discounts stay: one without an end is permanent. */
function durationOf(end: number | null, coupon: Stripe.Coupon | null): DiscountTerm['duration'] {
  if (coupon?.duration === 'once') return 'once'
  return end === null ? 'forever' : 'repeating'
}

function nextPhase({ schedule }: Stripe.Subscription): Phase | undefined {
  return isExpanded(schedule) ? nextPhaseOf(schedule) : undefined
}

function isExpanded<T extends object>(reference: string | T | null): reference is T {
  return reference !== null && typeof reference !== 'string'
}
