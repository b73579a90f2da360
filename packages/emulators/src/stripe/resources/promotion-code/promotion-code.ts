import { invalid } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import { changeMetadata, metadata, newMetadata } from '../../protocol/metadata.ts'
import { boolean, choice, currency, integerBetween, object, text, timestamp } from '../../protocol/params.ts'
import { emitChange } from '../../store/emit-change.ts'
import type { World } from '../../store/store.ts'
import { isUsable, isValid } from '../coupon/validity.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { toWirePromotionCode } from '../product/catalogue.wire.ts'
import { retrieve } from '../retrieve.ts'

const url = '/v1/promotion_codes'

/** A code as customers type it, which no other active promotion code of the same customers has. */
function codeFor(world: World, wanted: string | undefined, customer: string | null): string {
  if (wanted === undefined) return world.newId('')
  if (!/^[a-z0-9-]{1,500}$/i.test(wanted)) {
    throw invalid('Promotion codes may only contain letters, digits, and dashes.', { param: 'code' })
  }
  const [taken] = world
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
    ({ world, params }) => {
      const coupon = world.of('coupon').get(params.promotion.coupon, 'promotion[coupon]')
      if (!isValid(coupon, world.now())) {
        throw invalid(`Coupon ${coupon.id} is no longer valid.`, {
          code: 'coupon_expired',
          param: 'promotion[coupon]',
        })
      }
      if (params.customer !== undefined) world.of('customer').get(params.customer, 'customer')
      const { restrictions } = params
      const promotionCode = world.of('promotionCode').put({
        id: world.newId('promo'),
        created: world.now(),
        metadata: newMetadata(params.metadata),
        code: codeFor(world, params.code, params.customer ?? null),
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
      world.emit('promotion_code.created', toWirePromotionCode(world, promotionCode))
      return toWirePromotionCode(world, promotionCode)
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
    ({ world, params: { active, code, ...page } }) => {
      const found = world
        .of('promotionCode')
        .list(
          (record) =>
            (active === undefined || isUsable(record, world.now()) === active) &&
            (code === undefined || record.code.toLowerCase() === code.toLowerCase()),
        )
      return listOf(found, page, url, (record) => toWirePromotionCode(world, record))
    },
  ),
  retrieve('/promotion_codes', 'promotionCode', toWirePromotionCode),
  endpoint(
    'POST',
    '/promotion_codes/:id',
    object({ active: boolean.optional(), metadata: metadata.optional() }),
    ({ world, params, id }) => {
      const promotionCode = world.of('promotionCode').get(id)
      const changed = world.of('promotionCode').put({
        ...promotionCode,
        active: params.active ?? promotionCode.active,
        metadata: changeMetadata(promotionCode.metadata, params.metadata),
      })
      const wire = toWirePromotionCode(world, changed)
      emitChange(world, 'promotion_code.updated', toWirePromotionCode(world, promotionCode), wire)
      return wire
    },
  ),
]
