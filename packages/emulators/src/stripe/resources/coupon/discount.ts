import { invalid } from '../../protocol/errors.ts'
import { object, text } from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'
import { addMonths } from '../price/periods.ts'
import { isUsable, type PromotionCodeRecord } from '../promotion-code/promotion-code.ts'
import { isValid } from './coupon.ts'

/** A coupon at work on a subscription or an invoice. */
export type DiscountRecord = {
  id: string
  couponId: string
  promotionCodeId: string | null
  start: number
  end: number | null
  /** Invoices it has lowered; a coupon of duration `once` lowers one. */
  timesUsed: number
}

/** What a discount lowers. */
export type DiscountOwner = {
  customerId?: string | null
  subscriptionId?: string | null
  invoiceId?: string | null
  checkoutSessionId?: string | null
}

/** A discount as Stripe answers it. */
export function toWireDiscount(
  _store: Store,
  discount: DiscountRecord,
  owner: DiscountOwner = {},
): WireObject {
  return {
    id: discount.id,
    object: 'discount',
    checkout_session: owner.checkoutSessionId ?? null,
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

export function found(store: Store, { couponId, promotionCodeId }: DiscountChoice) {
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

/** The parameters of a coupon or promotion code to add. */
export const discountChoice = object({ coupon: text.optional(), promotion_code: text.optional() })

/** A coupon or promotion code to add, or a discount that is to stay. */
export type DiscountInput = DiscountChoice | { discountId: string }

type Discounted = {
  customerId: string
  testClockId: string | null
  discounts: DiscountRecord[]
  item: { priceId: string }
}

/**
 * Returns the discounts of a subscription as they are wished for. Nothing is redeemed for a preview; with `isLenient`
 * what can no longer be redeemed is left out. Throws what the coupon or promotion code says against it.
 */
export function discountsOf(
  store: Store,
  inputs: DiscountInput[],
  { customerId, testClockId, discounts: current, item }: Discounted,
  { isPreview = false, isLenient = false }: { isPreview?: boolean; isLenient?: boolean } = {},
): DiscountRecord[] {
  const { productId, currency } = store.of('price').get(item.priceId)
  const redemption = { customerId, testClockId, productId, currency }
  return inputs.flatMap((input) => {
    if ('discountId' in input) {
      const kept = current.find(({ id }) => id === input.discountId)
      if (kept) return kept
      const details = { code: 'resource_missing', param: 'discounts' }
      throw invalid(`No such discount: '${input.discountId}'`, details)
    }
    // A discount that is there already is not redeemed a second time.
    const same = current.find((discount) => isSameDiscount(discount, input))
    if (same) return same
    if (isLenient && !isRedeemable(store, input, redemption)) return []
    return isPreview ? newDiscount(store, input, redemption) : redeem(store, input, redemption)
  })
}

/** Whether a discount is the one that is chosen: by its promotion code if the choice names one, else by its coupon. */
function isSameDiscount({ couponId, promotionCodeId }: DiscountRecord, choice: DiscountChoice): boolean {
  return choice.promotionCodeId ? promotionCodeId === choice.promotionCodeId : couponId === choice.couponId
}

/** A discount by its id, wherever it is at work. */
export function findDiscount(store: Store, id: string): WireObject | undefined {
  for (const subscription of store.of('subscription').list()) {
    const discount = subscription.discounts.find((one) => one.id === id)
    const { customerId, id: subscriptionId } = subscription
    if (discount) return toWireDiscount(store, discount, { customerId, subscriptionId })
  }
  for (const { discounts, customerId, subscriptionId, id: invoiceId } of store.of('invoice').list()) {
    const discount = discounts.find((one) => one.id === id)
    if (discount) return toWireDiscount(store, discount, { customerId, subscriptionId, invoiceId })
  }
  return undefined
}
