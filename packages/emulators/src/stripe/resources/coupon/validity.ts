import type { CouponRecord, PromotionCodeRecord } from '../product/catalogue.record.ts'

/** Whether a coupon can still be redeemed at a time. */
export function isValid(coupon: CouponRecord, now: number): boolean {
  if (coupon.deleted) return false
  if (coupon.redeemBy !== null && coupon.redeemBy <= now) return false
  return coupon.maxRedemptions === null || coupon.timesRedeemed < coupon.maxRedemptions
}

/** Whether a promotion code can still be used by somebody at a time. */
export function isUsable(promotionCode: PromotionCodeRecord, now: number): boolean {
  const { active, expiresAt, maxRedemptions, timesRedeemed } = promotionCode
  if (!active || (expiresAt !== null && expiresAt <= now)) return false
  return maxRedemptions === null || timesRedeemed < maxRedemptions
}
