import { invalid } from '../../protocol/errors.ts'
import type { Store } from '../../store/store.ts'
import { addMonths } from '../price/periods.ts'
import type { DiscountRecord, PromotionCodeRecord } from '../product/catalogue.record.ts'
import { isUsable, isValid } from './validity.ts'

/** A coupon, named by itself or by a promotion code that stands for it. */
export type DiscountChoice = { couponId: string | null; promotionCodeId: string | null }

/** What the discount is wanted for; `amount` (minor units, before the discount) is not examined when left out. */
export type Redemption = {
  customerId: string
  testClockId?: string | null
  productId: string
  amount?: number
  currency: string
}

/** The promotion code that customers write so, whatever its capitals; usable ones first. */
export function findPromotionCode(store: Store, code: string): PromotionCodeRecord | undefined {
  const wanted = code.trim().toLowerCase()
  const found = store.of('promotionCode').list((record) => record.code.toLowerCase() === wanted)
  return found.find((record) => isUsable(record, store.now())) ?? found[0]
}

/** Whether the discount can be had for this. Throws `resource_missing` when there is no such coupon or code. */
export function isRedeemable(store: Store, choice: DiscountChoice, redemption: Redemption): boolean {
  return refusalOf(store, choice, redemption) === undefined
}

/** Redeems a coupon and counts that. Throws what `newDiscount` throws. */
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

/**
 * Returns what redeeming a coupon now gives. Throws `coupon_expired` or the promotion code's refusal when it cannot be
 * had.
 */
export function newDiscount(store: Store, choice: DiscountChoice, redemption: Redemption): DiscountRecord {
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
  const products = coupon.appliesToProductIds
  if (products && !products.includes(redemption.productId))
    return invalid('The coupon does not apply to any of these products.', { param: 'coupon' })
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
