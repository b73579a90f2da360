import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'
import type { DiscountRecord } from '../product/catalogue.record.ts'

/** What a discount lowers. */
export type DiscountOwner = {
  customerId?: string | null
  subscriptionId?: string | null
  invoiceId?: string | null
  checkoutSessionId?: string | null
}

/** A discount as Stripe answers it. */
export function toWireDiscount(
  _world: Store,
  discount: DiscountRecord,
  owner: DiscountOwner = {},
): WireObject {
  return {
    id: discount.id,
    object: 'discount',
    checkout_session: owner.checkoutSessionId ?? null,
    customer: owner.customerId ?? null,
    customer_account: null,
    end: discount.end,
    invoice: owner.invoiceId ?? null,
    invoice_item: null,
    promotion_code: discount.promotionCodeId,
    source: { coupon: discount.couponId, type: 'coupon' },
    start: discount.start,
    subscription: owner.subscriptionId ?? null,
    subscription_item: null,
  }
}
