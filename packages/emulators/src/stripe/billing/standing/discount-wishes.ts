import type { DiscountChoice } from '../../catalogue/coupons.ts'
import { isRedeemable, redeem } from '../../catalogue/coupons.ts'
import { invalid } from '../../protocol/errors.ts'
import type { DiscountRecord } from '../../records/catalogue.ts'
import type { World } from '../../world/world.ts'

/** A coupon or promotion code to add, or a discount that is to stay. */
export type DiscountWish = DiscountChoice | { discountId: string }

/**
 * The discounts that were wished for. With `isPreview` nothing is redeemed: for previews. Throws what the coupon or
 * promotion code says against it.
 */
export function discountsOf(
  world: World,
  wishes: DiscountWish[],
  {
    current = [],
    customerId,
    priceIds,
    testClockId,
    isPreview = false,
    isLenient = false,
  }: {
    current?: DiscountRecord[]
    customerId: string
    priceIds: string[]
    testClockId: string | null
    isPreview?: boolean
    /** Leaves out what can no longer be redeemed. */
    isLenient?: boolean
  },
): DiscountRecord[] {
  const prices = priceIds.map((id) => world.of('price').get(id))
  const [first] = prices
  const redemption = {
    customerId,
    testClockId,
    productIds: prices.map(({ productId }) => productId),
    ...(first ? { currency: first.currency } : {}),
  }
  return wishes.flatMap((wish) => {
    if ('discountId' in wish) {
      const kept = current.find(({ id }) => id === wish.discountId)
      if (!kept) {
        throw invalid(`No such discount: '${wish.discountId}'`, {
          code: 'resource_missing',
          param: 'discounts',
        })
      }
      return kept
    }
    // What is there already is not redeemed a second time.
    const same = current.find((discount) => isSameDiscount(discount, wish))
    if (same) return same
    if (isLenient && !(exists(world, wish) && isRedeemable(world, wish, redemption))) return []
    if (!isPreview || !isRedeemable(world, wish, redemption)) return redeem(world, wish, redemption)
    const promotionCode = wish.promotionCodeId ? world.of('promotionCode').get(wish.promotionCodeId) : null
    return {
      id: world.newId('di'),
      couponId: promotionCode?.couponId ?? wish.couponId ?? '',
      promotionCodeId: wish.promotionCodeId,
      start: world.now(testClockId),
      end: null,
      timesUsed: 0,
    }
  })
}

function exists(world: World, { couponId, promotionCodeId }: DiscountChoice) {
  const promotionCode = promotionCodeId ? world.of('promotionCode').find(promotionCodeId) : undefined
  const coupon = world.of('coupon').find(promotionCode?.couponId ?? couponId ?? '')
  return coupon !== undefined && !coupon.deleted
}

/** Whether a discount is the one that is chosen: by its promotion code if the choice names one, else by its coupon. */
function isSameDiscount({ couponId, promotionCodeId }: DiscountRecord, choice: DiscountChoice): boolean {
  return choice.promotionCodeId ? promotionCodeId === choice.promotionCodeId : couponId === choice.couponId
}
