import { type Endpoint, endpoint, retrieve } from '../../endpoints/endpoint.ts'
import { invalid } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import {
  boolean,
  choice,
  currency,
  integerBetween,
  metadata,
  newMetadata,
  object,
  text,
  timestamp,
} from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import type { Common, Store } from '../../store/store.ts'
import { isValid } from './coupon.ts'

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

declare module '../../store/store.ts' {
  interface Records {
    promotionCode: PromotionCodeRecord
  }
}

export function toWirePromotionCode(store: Store, promotionCode: PromotionCodeRecord): WireObject {
  return {
    id: promotionCode.id,
    object: 'promotion_code',
    active: isUsable(promotionCode, store.now()),
    code: promotionCode.code,
    created: promotionCode.created,
    customer: promotionCode.customerId,
    customer_account: null,
    expires_at: promotionCode.expiresAt,
    livemode: false,
    max_redemptions: promotionCode.maxRedemptions,
    metadata: promotionCode.metadata,
    promotion: { coupon: promotionCode.couponId, type: 'coupon' },
    restrictions: {
      first_time_transaction: promotionCode.firstTimeTransaction,
      minimum_amount: promotionCode.minimumAmount,
      minimum_amount_currency: promotionCode.minimumAmountCurrency,
    },
    times_redeemed: promotionCode.timesRedeemed,
  }
}

/** Returns whether a promotion code can be used at a time. */
export function isUsable(promotionCode: PromotionCodeRecord, now: number): boolean {
  const { active, expiresAt, maxRedemptions, timesRedeemed } = promotionCode
  if (!active || (expiresAt !== null && expiresAt <= now)) return false
  return maxRedemptions === null || timesRedeemed < maxRedemptions
}

/** Returns the promotion code of a text, ignoring case. Prefers usable ones. */
export function findPromotionCode(store: Store, code: string): PromotionCodeRecord | undefined {
  const wanted = code.trim().toLowerCase()
  const found = store.of('promotionCode').list((record) => record.code.toLowerCase() === wanted)
  return found.find((record) => isUsable(record, store.now())) ?? found[0]
}

const url = '/v1/promotion_codes'

/** Returns a new code, or the requested one. Throws if another active code of the same customers has it. */
function codeFor(store: Store, wanted: string | undefined, customer: string | null): string {
  if (wanted === undefined) return store.newId('')
  if (!/^[a-z0-9-]{1,500}$/i.test(wanted)) {
    throw invalid('Promotion codes may only contain letters, digits, and dashes.', { param: 'code' })
  }
  const [taken] = store
    .of('promotionCode')
    .list(
      ({ code, active, customerId }) =>
        active &&
        code.toLowerCase() === wanted.toLowerCase() &&
        (customerId === customer || customerId === null || customer === null),
    )
  if (!taken) return wanted
  throw invalid(`An active promotion code with \`code: ${wanted}\` already exists.`, {
    code: 'resource_already_exists',
    param: 'code',
  })
}

export const promotionCodeEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    '/promotion_codes',
    object({
      promotion: object({ type: choice('coupon'), coupon: text }),
      active: boolean.optional(),
      code: text.optional(),
      customer: text.optional(),
      expires_at: timestamp.optional(),
      max_redemptions: integerBetween(1).optional(),
      metadata: metadata.optional(),
      restrictions: object({
        first_time_transaction: boolean.optional(),
        minimum_amount: integerBetween(0).optional(),
        minimum_amount_currency: currency.optional(),
      }).optional(),
    }),
    ({ store, params }) => {
      const coupon = store.of('coupon').get(params.promotion.coupon, 'promotion[coupon]')
      if (!isValid(coupon, store.now())) {
        throw invalid(`Coupon ${coupon.id} is no longer valid.`, {
          code: 'coupon_expired',
          param: 'promotion[coupon]',
        })
      }
      if (params.customer !== undefined) store.of('customer').get(params.customer, 'customer')
      const { restrictions } = params
      const promotionCode = store.of('promotionCode').put({
        id: store.newId('promo'),
        created: store.now(),
        metadata: newMetadata(params.metadata),
        code: codeFor(store, params.code, params.customer ?? null),
        couponId: coupon.id,
        active: params.active ?? true,
        customerId: params.customer ?? null,
        expiresAt: params.expires_at ?? coupon.redeemBy,
        maxRedemptions: params.max_redemptions ?? null,
        timesRedeemed: 0,
        firstTimeTransaction: restrictions?.first_time_transaction ?? false,
        minimumAmount: restrictions?.minimum_amount ?? null,
        minimumAmountCurrency: restrictions?.minimum_amount_currency ?? null,
      })
      store.emit('promotion_code.created', toWirePromotionCode(store, promotionCode))
      return toWirePromotionCode(store, promotionCode)
    },
  ),
  endpoint(
    'GET',
    '/promotion_codes',
    object({
      ...pagination,
      active: boolean.optional(),
      code: text.optional(),
    }),
    ({ store, params: { active, code, ...page } }) => {
      const found = store
        .of('promotionCode')
        .list(
          (record) =>
            (active === undefined || isUsable(record, store.now()) === active) &&
            (code === undefined || record.code.toLowerCase() === code.toLowerCase()),
        )
      return listOf(found, page, url, (record) => toWirePromotionCode(store, record))
    },
  ),
  retrieve('/promotion_codes', 'promotionCode', toWirePromotionCode),
]
