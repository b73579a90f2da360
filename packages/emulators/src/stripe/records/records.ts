import type { CouponRecord, PriceRecord, ProductRecord, PromotionCodeRecord } from './catalogue.ts'
import type { CheckoutSessionRecord } from './checkout-session.ts'
import type { CustomerRecord, PaymentMethodRecord } from './customer.ts'
import type { EventRecord } from './event.ts'
import type { InvoiceRecord } from './invoice.ts'
import type { ChargeRecord, DisputeRecord, PaymentIntentRecord, RefundRecord } from './payment.ts'
import type { PortalConfigurationRecord, PortalSessionRecord } from './portal.ts'
import type { ScheduleRecord, SubscriptionRecord } from './subscription.ts'
import type { TestClockRecord } from './test-clock.ts'

/**
 * Everything that the stand-in keeps, by kind, in its own words. Amounts are in minor units, times in seconds since
 * 1970. What goes over the wire is made from these by the mappers in `wire/`.
 */
export type Records = {
  customer: CustomerRecord
  product: ProductRecord
  price: PriceRecord
  coupon: CouponRecord
  promotionCode: PromotionCodeRecord
  paymentMethod: PaymentMethodRecord
  subscription: SubscriptionRecord
  schedule: ScheduleRecord
  invoice: InvoiceRecord
  paymentIntent: PaymentIntentRecord
  charge: ChargeRecord
  refund: RefundRecord
  dispute: DisputeRecord
  checkoutSession: CheckoutSessionRecord
  portalConfiguration: PortalConfigurationRecord
  portalSession: PortalSessionRecord
  testClock: TestClockRecord
  event: EventRecord
}

export type Kind = keyof Records
