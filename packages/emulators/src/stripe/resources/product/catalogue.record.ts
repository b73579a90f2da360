import type { Common } from '../../store/common.ts'

export type ProductRecord = Common & {
  name: string
  description: string | null
  active: boolean
  updated: number
}

export type Interval = 'month' | 'year'

export type PriceRecord = Common & {
  productId: string
  active: boolean
  currency: string
  unitAmount: number
  /** Null for a price that is paid once. */
  recurring: { interval: Interval; intervalCount: number } | null
  lookupKey: string | null
  taxBehavior: 'unspecified' | 'exclusive' | 'inclusive'
}

export type CouponRecord = Common & {
  name: string | null
  percentOff: number | null
  amountOff: number | null
  currency: string | null
  duration: 'once' | 'repeating' | 'forever'
  durationInMonths: number | null
  maxRedemptions: number | null
  redeemBy: number | null
  timesRedeemed: number
  appliesToProductIds: string[] | null
  deleted: boolean
}

export type PromotionCodeRecord = Common & {
  code: string
  couponId: string
  active: boolean
  customerId: string | null
  expiresAt: number | null
  maxRedemptions: number | null
  timesRedeemed: number
  firstTimeTransaction: boolean
  minimumAmount: number | null
  minimumAmountCurrency: string | null
}

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
