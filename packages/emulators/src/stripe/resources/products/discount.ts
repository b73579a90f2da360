import { invalid } from '../../protocol/errors.ts'
import { object, text } from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'
import { isValid } from './coupon.ts'
import { addMonths } from './periods.ts'
import { isUsable, type PromotionCodeRecord } from './promotion-code.ts'

/** A redeemed coupon of a subscription or an invoice. */
export type DiscountRecord = {
  id: string
  couponId: string
  promotionCodeId: string | null
  start: number
  end: number | null
  /** The number of discounted invoices. A coupon of duration `once` discounts one. */
  timesUsed: number
}

type DiscountOwner = {
  customerId?: string | null
  subscriptionId?: string | null
  invoiceId?: string | null
}

/** Returns a discount of a customer, a subscription or an invoice. */
export function toWireDiscount(
  _store: Store,
  discount: DiscountRecord,
  owner: DiscountOwner = {},
): WireObject {
  return {
    id: discount.id,
    object: 'discount',
    checkout_session: null,
    customer: owner.customerId ?? null,
    customer_account: null,
    end: discount.end,
    invoice: owner.invoiceId ?? null,
    invoice_item: null,
    promotion_code: discount.promotionCodeId,
    source: { coupon: discount.couponId, type: 'coupon' },
    start: discount.start,
    subscription: owner.subscriptionId ?? null,
    subscription_item: null,
  }
}

/** A coupon, named by its id or by a promotion code. */
export type DiscountChoice = { couponId: string | null; promotionCodeId: string | null }

/** The subject of a redemption. `amount` (minor units, before the discount) is optional. */
type Redemption = {
  customerId: string
  testClockId?: string | null
  amount?: number
  currency: string
}

/** Returns whether a discount can be redeemed. Throws `resource_missing` for an unknown coupon or code. */
export function isRedeemable(store: Store, choice: DiscountChoice, redemption: Redemption): boolean {
  return refusalOf(store, choice, redemption) === undefined
}

/** Redeems a coupon and counts it. Throws as `newDiscount` does. */
export function redeem(store: Store, choice: DiscountChoice, redemption: Redemption): DiscountRecord {
  const discount = newDiscount(store, choice, redemption)
  const { coupon, promotionCode } = found(store, choice)
  store.of('coupon').put({ ...coupon, timesRedeemed: coupon.timesRedeemed + 1 })
  if (promotionCode) {
    const timesRedeemed = promotionCode.timesRedeemed + 1
    store.of('promotionCode').put({ ...promotionCode, timesRedeemed })
  }
  return discount
}

/** Returns the discount of a coupon. Throws `coupon_expired` or the promotion code's error. */
function newDiscount(store: Store, choice: DiscountChoice, redemption: Redemption): DiscountRecord {
  const refusal = refusalOf(store, choice, redemption)
  if (refusal) throw refusal
  const { coupon, promotionCode } = found(store, choice)
  const start = store.now(redemption.testClockId)
  const months = coupon.duration === 'repeating' ? coupon.durationInMonths : null
  return {
    id: store.newId('di'),
    couponId: coupon.id,
    promotionCodeId: promotionCode?.id ?? null,
    start,
    end: months === null ? null : addMonths(start, months),
    timesUsed: 0,
  }
}

function found(store: Store, { couponId, promotionCodeId }: DiscountChoice) {
  const promotionCode =
    promotionCodeId === null ? undefined : store.of('promotionCode').get(promotionCodeId, 'promotion_code')
  const coupon = store.of('coupon').get(promotionCode?.couponId ?? couponId ?? '', 'coupon')
  return { coupon, promotionCode }
}

function refusalOf(store: Store, choice: DiscountChoice, redemption: Redemption) {
  const { coupon, promotionCode } = found(store, choice)
  const now = store.now(redemption.testClockId)
  if (promotionCode) {
    const reason = reasonAgainst(store, promotionCode, redemption, now)
    if (reason) return invalid(reason, { param: 'promotion_code' })
  }
  if (!isValid(coupon, now)) {
    return invalid(`Coupon ${coupon.id} is expired and cannot be applied.`, {
      code: 'coupon_expired',
      param: 'coupon',
    })
  }
  if (coupon.currency && coupon.currency !== redemption.currency) {
    const message = `The coupon's currency is ${coupon.currency}; this is in ${redemption.currency}.`
    return invalid(message, { param: 'coupon' })
  }
  return undefined
}

function reasonAgainst(
  store: Store,
  promotionCode: PromotionCodeRecord,
  { customerId, amount, currency }: Redemption,
  now: number,
): string | undefined {
  if (!isUsable(promotionCode, now)) return 'This promotion code is inactive.'
  if (promotionCode.customerId && promotionCode.customerId !== customerId) {
    return 'This promotion code is for another customer.'
  }
  if (promotionCode.firstTimeTransaction && hasPaid(store, customerId)) {
    return 'This promotion code cannot be redeemed because the associated customer has prior transactions.'
  }
  const { minimumAmount, minimumAmountCurrency } = promotionCode
  const isTooLittle = minimumAmount !== null && amount !== undefined && amount < minimumAmount
  if (isTooLittle && currency === minimumAmountCurrency) {
    return 'This promotion code needs a higher amount.'
  }
  return undefined
}

function hasPaid(store: Store, customerId: string) {
  return store.of('charge').ofCustomer(customerId, ({ status }) => status === 'succeeded').length > 0
}

export const discountChoice = object({ coupon: text.optional(), promotion_code: text.optional() })

export const discountInput = discountChoice.extend({ discount: text.optional() })

/** A coupon or promotion code to add, or a discount to keep. */
export type DiscountInput = DiscountChoice | { discountId: string }

type Discounted = {
  customerId: string
  testClockId: string | null
  discounts: DiscountRecord[]
  item: { priceId: string }
}

/** Returns a subscription's discounts. A preview redeems none. Throws the coupon's or promotion code's error. */
export function discountsOf(
  store: Store,
  inputs: DiscountInput[],
  { customerId, testClockId, discounts: current, item }: Discounted,
  { isPreview = false }: { isPreview?: boolean } = {},
): DiscountRecord[] {
  const { currency } = store.of('price').get(item.priceId)
  const redemption = { customerId, testClockId, currency }
  return inputs.map((input) => {
    if ('discountId' in input) {
      const kept = current.find(({ id }) => id === input.discountId)
      if (kept) return kept
      const details = { code: 'resource_missing', param: 'discounts' }
      throw invalid(`No such discount: '${input.discountId}'`, details)
    }
    // An existing discount is not redeemed again.
    const same = current.find((discount) => isSameDiscount(discount, input))
    if (same) return same
    return isPreview ? newDiscount(store, input, redemption) : redeem(store, input, redemption)
  })
}

/** A discount that a phase keeps with its start and end, or a coupon that begins a new one with the phase. */
export type PhaseDiscount = DiscountChoice | { kept: DiscountRecord }

/** Returns the discounts of a subscription that enters a phase, without those that can't be redeemed. */
export function discountsOfPhase(
  store: Store,
  inputs: PhaseDiscount[],
  { customerId, testClockId, discounts: current, item }: Discounted,
): DiscountRecord[] {
  const { currency } = store.of('price').get(item.priceId)
  const redemption = { customerId, testClockId, currency }
  return inputs.flatMap((input) => {
    if ('kept' in input) return current.find(({ id }) => id === input.kept.id) ?? input.kept
    return isRedeemable(store, input, redemption) ? redeem(store, input, redemption) : []
  })
}

/** Compares promotion codes if the choice names one, else coupons. */
function isSameDiscount({ couponId, promotionCodeId }: DiscountRecord, choice: DiscountChoice): boolean {
  return choice.promotionCodeId ? promotionCodeId === choice.promotionCodeId : couponId === choice.couponId
}

/** Returns the discount of a subscription or an invoice by its id. */
export function findDiscount(store: Store, id: string): WireObject | undefined {
  for (const subscription of store.of('subscription').list()) {
    const all = [...subscription.discounts, ...(subscription.item.discounts ?? [])]
    const discount = all.find((one) => one.id === id)
    const { customerId, id: subscriptionId } = subscription
    if (discount) return toWireDiscount(store, discount, { customerId, subscriptionId })
  }
  for (const { phases, customerId, subscriptionId } of store.of('schedule').list()) {
    for (const one of phases.flatMap(({ discounts }) => discounts)) {
      if ('kept' in one && one.kept.id === id)
        return toWireDiscount(store, one.kept, { customerId, subscriptionId })
    }
  }
  for (const { discounts, customerId, subscriptionId, id: invoiceId } of store.of('invoice').list()) {
    const discount = discounts.find((one) => one.id === id)
    if (discount) return toWireDiscount(store, discount, { customerId, subscriptionId, invoiceId })
  }
  return undefined
}
