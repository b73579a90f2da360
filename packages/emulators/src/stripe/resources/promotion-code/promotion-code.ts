import { invalid } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import { changeMetadata, metadata, newMetadata } from '../../protocol/metadata.ts'
import { boolean, choice, currency, integerBetween, object, text, timestamp } from '../../protocol/params.ts'
import { emitChange } from '../../store/emit-change.ts'
import type { Store } from '../../store/store.ts'
import { isUsable, isValid } from '../coupon/validity.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { toWirePromotionCode } from '../product/catalogue.wire.ts'
import { retrieve } from '../retrieve.ts'

const url = '/v1/promotion_codes'

/** A code as customers type it, which no other active promotion code of the same customers has. */
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
  endpoint(
    'POST',
    '/promotion_codes/:id',
    object({ active: boolean.optional(), metadata: metadata.optional() }),
    ({ store, params, id }) => {
      const promotionCode = store.of('promotionCode').get(id)
      const changed = store.of('promotionCode').put({
        ...promotionCode,
        active: params.active ?? promotionCode.active,
        metadata: changeMetadata(promotionCode.metadata, params.metadata),
      })
      const wire = toWirePromotionCode(store, changed)
      emitChange(store, 'promotion_code.updated', toWirePromotionCode(store, promotionCode), wire)
      return wire
    },
  ),
]
