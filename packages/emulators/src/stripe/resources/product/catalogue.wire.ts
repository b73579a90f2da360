import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'
import { isUsable, isValid } from '../coupon/validity.ts'
import type { CouponRecord, PriceRecord, ProductRecord, PromotionCodeRecord } from './catalogue.record.ts'

/** Returns a product as Stripe shows it. */
export function toWireProduct(_world: Store, product: ProductRecord): WireObject {
  return {
    id: product.id,
    object: 'product',
    active: product.active,
    created: product.created,
    default_price: null,
    description: product.description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: product.metadata,
    name: product.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: product.updated,
    url: null,
  }
}

export function toWirePrice(_world: Store, price: PriceRecord): WireObject {
  const { recurring } = price
  return {
    id: price.id,
    object: 'price',
    active: price.active,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: price.lookupKey,
    metadata: price.metadata,
    nickname: null,
    product: price.productId,
    recurring: recurring && {
      interval: recurring.interval,
      interval_count: recurring.intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: price.taxBehavior,
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: price.unitAmount,
    unit_amount_decimal: String(price.unitAmount),
  }
}

/** A coupon as Stripe answers it; one that was deleted and is asked for by itself is only its id. */
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
