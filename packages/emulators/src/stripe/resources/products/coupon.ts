import { type Endpoint, endpoint, retrieve } from '../../endpoints/endpoint.ts'
import { invalid } from '../../protocol/errors.ts'
import {
  choice,
  currency,
  decimal,
  integerBetween,
  metadata,
  newMetadata,
  object,
  text,
  timestamp,
} from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import { type Common, chosenId, type Store } from '../../store/store.ts'

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
  /** A deleted coupon can't be redeemed, and its discounts stay. */
  deleted: boolean
}

declare module '../../store/store.ts' {
  interface Records {
    coupon: CouponRecord
  }
}

export function toWireCoupon(store: Store, coupon: CouponRecord): WireObject {
  if (coupon.deleted) return { id: coupon.id, object: 'coupon', deleted: true }
  return {
    id: coupon.id,
    object: 'coupon',
    amount_off: coupon.amountOff,
    created: coupon.created,
    currency: coupon.currency,
    duration: coupon.duration,
    duration_in_months: coupon.durationInMonths,
    livemode: false,
    max_redemptions: coupon.maxRedemptions,
    metadata: coupon.metadata,
    name: coupon.name,
    percent_off: coupon.percentOff,
    redeem_by: coupon.redeemBy,
    times_redeemed: coupon.timesRedeemed,
    valid: isValid(coupon, store.now()),
  }
}

/** Returns whether a coupon can be redeemed at a time. */
export function isValid(coupon: CouponRecord, now: number): boolean {
  if (coupon.deleted) return false
  if (coupon.redeemBy !== null && coupon.redeemBy <= now) return false
  return coupon.maxRedemptions === null || coupon.timesRedeemed < coupon.maxRedemptions
}

/** Returns what a coupon takes off an amount in minor units, at most all of it. */
export function amountOff(
  { percentOff, ...coupon }: CouponRecord,
  { amount, currency }: { amount: number; currency: string },
): number {
  if (percentOff !== null) return Math.round((amount * percentOff) / 100)
  return coupon.currency === currency ? Math.min(amount, coupon.amountOff ?? 0) : 0
}

const newCoupon = object({
  id: text.optional(),
  name: text.optional(),
  percent_off: decimal.optional(),
  amount_off: integerBetween(1).optional(),
  currency: currency.optional(),
  duration: choice('forever', 'once', 'repeating').optional(),
  duration_in_months: integerBetween(1, 1_000).optional(),
  max_redemptions: integerBetween(1).optional(),
  redeem_by: timestamp.optional(),
  metadata: metadata.optional(),
})

function requireConsistent(store: Store, params: ReturnType<typeof newCoupon.parse>) {
  const {
    percent_off: percentOff,
    amount_off: amountOff,
    duration = 'once',
    duration_in_months: months,
  } = params
  if ((percentOff === undefined) === (amountOff === undefined)) {
    throw invalid('You must set either `percent_off` or `amount_off`, and not both.', {
      code: percentOff === undefined ? 'parameter_missing' : 'parameters_exclusive',
      param: 'percent_off',
    })
  }
  if (percentOff !== undefined && (percentOff <= 0 || percentOff > 100)) {
    throw invalid('Invalid percent_off: must be greater than 0 and at most 100.', { param: 'percent_off' })
  }
  if (amountOff !== undefined && params.currency === undefined) {
    throw invalid('You must pass currency when passing amount_off.', {
      code: 'parameter_missing',
      param: 'currency',
    })
  }
  if ((duration === 'repeating') !== (months !== undefined)) {
    throw invalid('You must pass `duration_in_months` exactly when `duration` is repeating.', {
      param: 'duration_in_months',
    })
  }
  if (params.redeem_by !== undefined && params.redeem_by <= store.now()) {
    throw invalid('Invalid redeem_by: must be in the future.', { param: 'redeem_by' })
  }
}

export const couponEndpoints: Endpoint[] = [
  endpoint('POST', '/coupons', newCoupon, ({ store, params }) => {
    requireConsistent(store, params)
    const coupon = store.of('coupon').put({
      id: chosenId(store, 'coupon', { prefix: '', wanted: params.id }),
      created: store.now(),
      metadata: newMetadata(params.metadata),
      name: params.name ?? null,
      percentOff: params.percent_off ?? null,
      amountOff: params.amount_off ?? null,
      currency: params.currency ?? null,
      duration: params.duration ?? 'once',
      durationInMonths: params.duration_in_months ?? null,
      maxRedemptions: params.max_redemptions ?? null,
      redeemBy: params.redeem_by ?? null,
      timesRedeemed: 0,
      deleted: false,
    })
    store.emit('coupon.created', toWireCoupon(store, coupon))
    return toWireCoupon(store, coupon)
  }),
  retrieve('/coupons', 'coupon', toWireCoupon),
  endpoint('DELETE', '/coupons/:id', object({}), ({ store, id }) => {
    const coupon = store.of('coupon').get(id, 'id')
    store.emit('coupon.deleted', toWireCoupon(store, coupon))
    return toWireCoupon(store, store.of('coupon').put({ ...coupon, deleted: true }))
  }),
]
