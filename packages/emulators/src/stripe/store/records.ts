import type { CheckoutSessionRecord } from '../resources/checkout-session/checkout-session.record.ts'
import type { CustomerRecord, PaymentMethodRecord } from '../resources/customer/customer.record.ts'
import type { EventRecord } from '../resources/event/event.record.ts'
import type { InvoiceRecord } from '../resources/invoice/invoice.record.ts'
import type {
  ChargeRecord,
  DisputeRecord,
  PaymentIntentRecord,
  RefundRecord,
} from '../resources/payment-intent/payment.record.ts'
import type {
  PortalConfigurationRecord,
  PortalSessionRecord,
} from '../resources/portal-session/portal.record.ts'
import type {
  CouponRecord,
  PriceRecord,
  ProductRecord,
  PromotionCodeRecord,
} from '../resources/product/catalogue.record.ts'
import type { ScheduleRecord, SubscriptionRecord } from '../resources/subscription/subscription.record.ts'
import type { TestClockRecord } from '../resources/test-clock/test-clock.record.ts'

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
