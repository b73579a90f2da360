import type { Endpoint } from '../endpoints/endpoint.ts'
import { type Expansions, objectsOf } from '../endpoints/expansions.ts'
import { accountEndpoints } from './account/account.endpoints.ts'
import { creditNoteEndpoints } from './billing/credit-note.ts'
import { customerDeletionEndpoints } from './billing/customer-deletion.endpoints.ts'
import { invoiceEndpoints, invoicePaymentEndpoints } from './billing/invoice.endpoints.ts'
import { invoicePayments, toWireInvoice } from './billing/invoice.ts'
import { subscriptionEndpoints } from './billing/subscription.endpoints.ts'
import { toWireSubscription } from './billing/subscription.ts'
import { scheduleEndpoints } from './billing/subscription-schedule.endpoints.ts'
import { toWireSchedule } from './billing/subscription-schedule.ts'
import { checkoutEndpoints } from './checkout/checkout-session.endpoints.ts'
import { checkoutLineItems } from './checkout/checkout-session.ts'
import { customerEndpoints } from './customers/customer.endpoints.ts'
import { toWireCustomer } from './customers/customer.ts'
import { paymentMethodEndpoints, toWirePaymentMethod } from './customers/payment-method.ts'
import { eventEndpoints } from './event/event.ts'
import { chargeEndpoints, toWireCharge } from './payments/charge.ts'
import { disputeEndpoints, toWireDispute } from './payments/dispute.ts'
import { toWirePaymentIntent } from './payments/payment-intent.ts'
import { refundEndpoints } from './payments/refund.endpoints.ts'
import { toWireRefund } from './payments/refund.ts'
import { portalConfigurationEndpoints } from './portal/portal-configuration.ts'
import { portalSessionEndpoints } from './portal/portal-session.ts'
import { couponEndpoints, toWireCoupon } from './products/coupon.ts'
import { findDiscount } from './products/discount.ts'
import { priceEndpoints, toWirePrice } from './products/price.ts'
import { productEndpoints, toWireProduct } from './products/product.ts'
import { promotionCodeEndpoints, toWirePromotionCode } from './products/promotion-code.ts'
import { clockEndpoints, toWireTestClock } from './test-clocks/test-clock.ts'

/** The calls of all resources. */
export const endpoints: Endpoint[] = [
  ...accountEndpoints,
  ...customerEndpoints,
  ...customerDeletionEndpoints,
  ...productEndpoints,
  ...priceEndpoints,
  ...couponEndpoints,
  ...promotionCodeEndpoints,
  ...paymentMethodEndpoints,
  ...eventEndpoints,
  ...subscriptionEndpoints,
  ...scheduleEndpoints,
  ...invoiceEndpoints,
  ...invoicePaymentEndpoints,
  ...creditNoteEndpoints,
  ...chargeEndpoints,
  ...refundEndpoints,
  ...disputeEndpoints,
  ...clockEndpoints,
  ...checkoutEndpoints,
  ...portalConfigurationEndpoints,
  ...portalSessionEndpoints,
]

export const expansions: Expansions = {
  objects: {
    cus_: objectsOf('customer', toWireCustomer),
    pm_: objectsOf('paymentMethod', toWirePaymentMethod),
    product: objectsOf('product', toWireProduct),
    price_: objectsOf('price', toWirePrice),
    coupon: objectsOf('coupon', toWireCoupon),
    promo_: objectsOf('promotionCode', toWirePromotionCode),
    sub_: (store, id) => {
      // Ids of schedules start the same: `sub_sched_…`.
      const schedule = store.of('schedule').find(id)
      if (schedule) return toWireSchedule(store, schedule)
      const subscription = store.of('subscription').find(id)
      return subscription && toWireSubscription(store, subscription)
    },
    in_: objectsOf('invoice', toWireInvoice),
    pi_: objectsOf('paymentIntent', toWirePaymentIntent),
    ch_: objectsOf('charge', toWireCharge),
    re_: objectsOf('refund', toWireRefund),
    dp_: objectsOf('dispute', toWireDispute),
    di_: findDiscount,
    clock_: objectsOf('testClock', toWireTestClock),
  },
  included: {
    'checkout.session.line_items': (store, { id }) => {
      const session = store.of('checkoutSession').find(String(id))
      return session ? checkoutLineItems(store, session) : null
    },
    'invoice.payments': (store, { id }) => {
      const invoice = store.of('invoice').find(String(id))
      return invoice ? invoicePayments(invoice) : null
    },
  },
}
