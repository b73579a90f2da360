import { invalid } from '../../protocol/errors.ts'
import type { World } from '../../store/store.ts'
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
export function findPromotionCode(world: World, code: string): PromotionCodeRecord | undefined {
  const wanted = code.trim().toLowerCase()
  const found = world.of('promotionCode').list((record) => record.code.toLowerCase() === wanted)
  return found.find((record) => isUsable(record, world.now())) ?? found[0]
}

/** Whether the discount can be had for this. Throws `resource_missing` when there is no such coupon or code. */
export function isRedeemable(world: World, choice: DiscountChoice, redemption: Redemption): boolean {
  return refusalOf(world, choice, redemption) === undefined
}

/** Redeems a coupon and counts that. Throws what `newDiscount` throws. */
export function redeem(world: World, choice: DiscountChoice, redemption: Redemption): DiscountRecord {
  const discount = newDiscount(world, choice, redemption)
  const { coupon, promotionCode } = found(world, choice)
  world.of('coupon').put({ ...coupon, timesRedeemed: coupon.timesRedeemed + 1 })
  if (promotionCode) {
    const timesRedeemed = promotionCode.timesRedeemed + 1
    world.of('promotionCode').put({ ...promotionCode, timesRedeemed })
  }
  return discount
}

/**
 * Returns what redeeming a coupon now gives. Throws `coupon_expired` or the promotion code's refusal when it cannot be
 * had.
 */
export function newDiscount(world: World, choice: DiscountChoice, redemption: Redemption): DiscountRecord {
  const refusal = refusalOf(world, choice, redemption)
  if (refusal) throw refusal
  const { coupon, promotionCode } = found(world, choice)
  const start = world.now(redemption.testClockId)
  const months = coupon.duration === 'repeating' ? coupon.durationInMonths : null
  return {
    id: world.newId('di'),
    couponId: coupon.id,
    promotionCodeId: promotionCode?.id ?? null,
    start,
    end: months === null ? null : addMonths(start, months),
    timesUsed: 0,
  }
}

function found(world: World, { couponId, promotionCodeId }: DiscountChoice) {
  const promotionCode =
    promotionCodeId === null ? undefined : world.of('promotionCode').get(promotionCodeId, 'promotion_code')
  const coupon = world.of('coupon').get(promotionCode?.couponId ?? couponId ?? '', 'coupon')
  return { coupon, promotionCode }
}

function refusalOf(world: World, choice: DiscountChoice, redemption: Redemption) {
  const { coupon, promotionCode } = found(world, choice)
  const now = world.now(redemption.testClockId)
  if (promotionCode) {
    const reason = reasonAgainst(world, promotionCode, redemption, now)
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
  world: World,
  promotionCode: PromotionCodeRecord,
  { customerId, amount, currency }: Redemption,
  now: number,
): string | undefined {
  if (!isUsable(promotionCode, now)) return 'This promotion code is inactive.'
  if (promotionCode.customerId && promotionCode.customerId !== customerId) {
    return 'This promotion code is for another customer.'
  }
  if (promotionCode.firstTimeTransaction && hasPaid(world, customerId)) {
    return 'This promotion code cannot be redeemed because the associated customer has prior transactions.'
  }
  const { minimumAmount, minimumAmountCurrency } = promotionCode
  const isTooLittle = minimumAmount !== null && amount !== undefined && amount < minimumAmount
  if (isTooLittle && currency === minimumAmountCurrency) {
    return 'This promotion code needs a higher amount.'
  }
  return undefined
}

function hasPaid(world: World, customerId: string) {
  return world.of('charge').ofCustomer(customerId, ({ status }) => status === 'succeeded').length > 0
}
