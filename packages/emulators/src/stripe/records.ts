import type { CouponRecord, PriceRecord, ProductRecord, PromotionCodeRecord } from './records/catalogue.ts'
import type { CheckoutSessionRecord } from './records/checkout-session.ts'
import type { CustomerRecord, PaymentMethodRecord } from './records/customer.ts'
import type { EventRecord, WebhookEndpointRecord } from './records/event.ts'
import type { InvoiceItemRecord, InvoiceRecord } from './records/invoice.ts'
import type { ChargeRecord, DisputeRecord, PaymentIntentRecord, RefundRecord } from './records/payment.ts'
import type { PortalConfigurationRecord, PortalSessionRecord } from './records/portal.ts'
import type { ScheduleRecord, SubscriptionRecord } from './records/subscription.ts'
import type { TestClockRecord } from './records/test-clock.ts'

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
  invoiceItem: InvoiceItemRecord
  paymentIntent: PaymentIntentRecord
  charge: ChargeRecord
  refund: RefundRecord
  dispute: DisputeRecord
  checkoutSession: CheckoutSessionRecord
  portalConfiguration: PortalConfigurationRecord
  portalSession: PortalSessionRecord
  testClock: TestClockRecord
  webhookEndpoint: WebhookEndpointRecord
  event: EventRecord
}

export type Kind = keyof Records
