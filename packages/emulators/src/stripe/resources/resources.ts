import { accountEndpoints } from './account/account.endpoints.ts'
import { chargeEndpoints, toWireCharge } from './charge/charge.ts'
import { checkoutEndpoints } from './checkout-session/checkout-session.endpoints.ts'
import { checkoutLineItems } from './checkout-session/checkout-session.ts'
import { couponEndpoints, toWireCoupon } from './coupon/coupon.ts'
import { findDiscount } from './coupon/discount.ts'
import { customerEndpoints } from './customer/customer.endpoints.ts'
import { toWireCustomer } from './customer/customer.ts'
import { disputeEndpoints, toWireDispute } from './dispute/dispute.ts'
import { type Endpoint, type Expansions, objectsOf } from './endpoint.ts'
import { eventEndpoints } from './event/event.ts'
import { creditNoteEndpoints } from './invoice/credit-note.ts'
import { invoiceEndpoints, invoicePaymentEndpoints } from './invoice/invoice.endpoints.ts'
import { invoicePayments, toWireInvoice } from './invoice/invoice.ts'
import { toWirePaymentIntent } from './payment-intent/payment-intent.ts'
import { paymentMethodEndpoints, toWirePaymentMethod } from './payment-method/payment-method.ts'
import { portalConfigurationEndpoints } from './portal-session/portal-configuration.ts'
import { portalSessionEndpoints } from './portal-session/portal-session.ts'
import { priceEndpoints, toWirePrice } from './price/price.ts'
import { productEndpoints, toWireProduct } from './product/product.ts'
import { promotionCodeEndpoints, toWirePromotionCode } from './promotion-code/promotion-code.ts'
import { refundEndpoints } from './refund/refund.endpoints.ts'
import { toWireRefund } from './refund/refund.ts'
import { subscriptionEndpoints } from './subscription/subscription.endpoints.ts'
import { toWireSubscription } from './subscription/subscription.ts'
import { scheduleEndpoints } from './subscription-schedule/subscription-schedule.endpoints.ts'
import { toWireSchedule } from './subscription-schedule/subscription-schedule.ts'
import { clockEndpoints, toWireTestClock } from './test-clock/test-clock.ts'

/** The calls of all resources. */
export const endpoints: Endpoint[] = [
  ...accountEndpoints,
  ...customerEndpoints,
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
