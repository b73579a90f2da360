import { invalid, resourceMissing } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import { metadata, newMetadata } from '../../protocol/metadata.ts'
import {
  choice,
  currency,
  decimal,
  integerBetween,
  list,
  object,
  text,
  timestamp,
} from '../../protocol/params.ts'
import { chosenId } from '../../store/own-id.ts'
import type { Store } from '../../store/store.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import type { CouponRecord } from '../product/catalogue.record.ts'
import { toWireCoupon } from '../product/catalogue.wire.ts'

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
  applies_to: object({ products: list(text).optional() }).optional(),
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
  for (const id of params.applies_to?.products ?? []) store.of('product').get(id, 'applies_to[products]')
}

function existingCoupon(store: Store, id: string): CouponRecord {
  const coupon = store.of('coupon').get(id)
  if (coupon.deleted) throw resourceMissing('coupon', id)
  return coupon
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
      appliesToProductIds: params.applies_to?.products ?? null,
      deleted: false,
    })
    store.emit('coupon.created', toWireCoupon(store, coupon))
    return toWireCoupon(store, coupon)
  }),
  endpoint('GET', '/coupons', object(pagination), ({ store, params }) => {
    const found = store.of('coupon').list(({ deleted }) => !deleted)
    return listOf(found, params, '/v1/coupons', (coupon) => toWireCoupon(store, coupon))
  }),
  endpoint('GET', '/coupons/:id', object({}), ({ store, id }) => toWireCoupon(store, existingCoupon(store, id))),
  endpoint('DELETE', '/coupons/:id', object({}), ({ store, id }) => {
    const coupon = existingCoupon(store, id)
    // Whoever has redeemed it keeps what it gives, so it stays known.
    store.of('coupon').put({ ...coupon, deleted: true })
    store.emit('coupon.deleted', { ...toWireCoupon(store, coupon), valid: false })
    return { id, object: 'coupon', deleted: true }
  }),
]
