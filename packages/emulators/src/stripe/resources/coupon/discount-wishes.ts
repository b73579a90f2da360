import { invalid } from '../../protocol/errors.ts'
import { object, text } from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import type { DiscountRecord } from '../product/catalogue.record.ts'
import type { SubscriptionRecord } from '../subscription/subscription.record.ts'
import { type DiscountChoice, isRedeemable, newDiscount, redeem } from './discount.ts'

/** The parameters of a coupon or promotion code to add. */
export const discountChoice = object({ coupon: text.optional(), promotion_code: text.optional() })

/** A coupon or promotion code to add, or a discount that is to stay. */
export type DiscountInput = DiscountChoice | { discountId: string }

type Discounted = Pick<SubscriptionRecord, 'customerId' | 'testClockId' | 'discounts'> & {
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
