import type Stripe from 'stripe'
import { addMonths, type DiscountTerm } from '#integrations/payments/discount-terms.ts'
import { PaymentsRefusedError, SubscriptionChangedError } from '#integrations/payments/gateway-errors.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import { idOf } from '../client/client.ts'
import { isMissing } from '../client/errors.ts'
import { phaseAtRenewal } from './subscription-mapper.ts'

/** The fields of a subscription that Stripe must expand for its discounts, at most four levels deep. */
export const discountParts = [
  'discounts.source.coupon',
  'items.data.discounts',
  'customer.discount.source.coupon',
  'schedule.phases.discounts.discount',
  'schedule.phases.discounts.promotion_code',
]

/** A discount of renewals, and how a preview names it. */
export type RenewalDiscount = DiscountTerm & { named: Stripe.InvoiceCreatePreviewParams.Discount }

/** The terms of renewals. The item's discounts come before the subscription's. */
export type RenewalTerms = {
  priceId: string
  quantity: number
  discounts: readonly RenewalDiscount[]
  itemDiscounts: readonly RenewalDiscount[]
}

/** A discount of a phase or of its item, which Stripe can't expand. */
type Entry = Stripe.SubscriptionSchedule.Phase.Discount | Stripe.SubscriptionSchedule.Phase.Item.Discount

/** Reads the terms of renewals. Without discounts of its own, a subscription has its customer's. */
export function stripeRenewalTerms(stripe: Stripe) {
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
    { discount, coupon, promotion_code: code }: Entry,
    owned: readonly Stripe.Discount[],
    startsAt: number,
  ): Promise<RenewalDiscount[]> {
    if (discount !== null) {
      const own = owned.find(({ id }) => id === idOf(discount))
      if (own !== undefined) return [await ofOwn(own)]
      if (isExpanded(discount)) return [await ofRemoved(discount)]
      throw new PaymentsRefusedError(`no preview of the removed discount ${discount} of an item`)
    }
    const couponId = coupon ?? (code === null ? null : await couponOfCode(code))
    const found = couponId === null ? null : await findCoupon(idOf(couponId))
    return found === null || !isRedeemable(found, startsAt) ? [] : [beginning(found, startsAt)]
  }

  async function couponOfCode(code: string | Stripe.PromotionCode): Promise<string | Stripe.Coupon | null> {
    return (isExpanded(code) ? code : await stripe.promotionCodes.retrieve(code)).promotion.coupon
  }

  async function ofEntries(
    entries: readonly Entry[] | null | undefined,
    owned: readonly Stripe.Discount[],
    startsAt: number,
  ): Promise<RenewalDiscount[]> {
    const found: RenewalDiscount[] = []
    for (const entry of entries ?? []) found.push(...(await ofEntry(entry, owned, startsAt)))
    return found
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

  /** Reads the coupon of an item's discount, which is too deep to expand. */
  async function ofOwn(discount: Stripe.Discount): Promise<RenewalDiscount> {
    const { coupon } = discount.source
    return existing(discount, typeof coupon === 'string' ? await findCoupon(coupon) : coupon)
  }

  /** Returns the terms of the current price, without the schedule. */
  async function currentTerms(
    now: Stripe.Subscription,
    { price, quantity = 1, discounts }: Stripe.SubscriptionItem,
  ): Promise<RenewalTerms> {
    const itemDiscounts: RenewalDiscount[] = []
    for (const one of discounts.filter(isExpanded)) itemDiscounts.push(await ofOwn(one))
    return { priceId: price.id, quantity, discounts: discountsOf(now), itemDiscounts }
  }

  return {
    /** Returns the terms of the next renewal, as scheduled or at a price to which the member would change for it. */
    async termsOf(
      now: Stripe.Subscription,
      { itemId }: Pick<Subscription, 'itemId'>,
      changeTo?: string,
    ): Promise<RenewalTerms> {
      const item = now.items.data.find(({ id }) => id === itemId)
      if (item === undefined) throw new SubscriptionChangedError(`${now.id} has another item now`)
      const phase = phaseAtRenewal(now, item)
      if (changeTo === item.price.id || (changeTo === undefined && phase === undefined))
        return await currentTerms(now, item)
      const kept =
        phase && (await ofEntries(phase.discounts, now.discounts.filter(isExpanded), phase.start_date))
      const discounts = kept === undefined ? discountsOf(now) : orCustomers(kept, now)
      const scheduled = phase?.items.find(({ price }) => changeTo === undefined || idOf(price) === changeTo)
      if (phase === undefined || scheduled === undefined)
        return { priceId: changeTo ?? item.price.id, quantity: 1, discounts, itemDiscounts: [] }
      const owned = item.discounts.filter(isExpanded)
      const itemDiscounts = await ofEntries(scheduled.discounts, owned, phase.start_date)
      return { priceId: idOf(scheduled.price), quantity: scheduled.quantity ?? 1, discounts, itemDiscounts }
    },
  }
}

/** Returns the discounts of a subscription without its schedule. */
export function discountsOf(now: Stripe.Subscription): RenewalDiscount[] {
  return orCustomers(now.discounts.filter(isExpanded).map(expanded), now)
}

function orCustomers(discounts: RenewalDiscount[], { customer }: Stripe.Subscription): RenewalDiscount[] {
  const inherited = typeof customer === 'string' || customer.deleted ? null : customer.discount
  return discounts.length === 0 && inherited ? [expanded(inherited)] : discounts
}

function expanded(discount: Stripe.Discount): RenewalDiscount {
  const { coupon } = discount.source
  return existing(discount, isExpanded(coupon) ? coupon : null)
}

function existing({ id, end }: Stripe.Discount, coupon: Stripe.Coupon | null): RenewalDiscount {
  return { end, duration: durationOf(end, coupon), named: { discount: id } }
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

function isExpanded<T extends object>(reference: string | T | null): reference is T {
  return reference !== null && typeof reference !== 'string'
}
