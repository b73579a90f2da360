import { object } from '../protocol/params.ts'
import { chargeEndpoints, toWireCharge } from './charge/charge.ts'
import { toWireCoupon } from './coupon/coupon.ts'
import { findDiscount } from './coupon/discount.ts'
import { customerDeletion } from './customer/customer.endpoints.ts'
import { toWireCustomer } from './customer/customer.ts'
import { disputeEndpoints, toWireDispute } from './dispute/dispute.ts'
import { type Endpoint, type Expansions, endpoint, objectsOf } from './endpoint.ts'
import { invoiceEndpoints, invoicePaymentEndpoints } from './invoice/invoice.endpoints.ts'
import { invoicePayments, toWireInvoice } from './invoice/invoice.ts'
import { toWirePaymentIntent } from './payment-intent/payment-intent.ts'
import { toWirePaymentMethod } from './payment-method/payment-method.ts'
import { toWirePrice } from './price/price.ts'
import { toWireProduct } from './product/product.ts'
import { toWirePromotionCode } from './promotion-code/promotion-code.ts'
import { refundEndpoints } from './refund/refund.endpoints.ts'
import { toWireRefund } from './refund/refund.ts'
import { subscriptionEndpoints } from './subscription/subscription.endpoints.ts'
import { toWireSubscription } from './subscription/subscription.ts'
import { scheduleEndpoints } from './subscription-schedule/subscription-schedule.endpoints.ts'
import { toWireSchedule } from './subscription-schedule/subscription-schedule.ts'
import { clockEndpoints, toWireTestClock } from './test-clock/test-clock.ts'

/** Every call about subscriptions, invoices and payments, and those that move their time or end them all. */
export const billingEndpoints: Endpoint[] = [
  ...subscriptionEndpoints,
  ...scheduleEndpoints,
  ...invoiceEndpoints,
  ...invoicePaymentEndpoints,
  ...chargeEndpoints,
  ...refundEndpoints,
  ...disputeEndpoints,
  ...clockEndpoints,
  customerDeletion,
]

/** `GET /account`: the account that the call's key belongs to. */
export const accountEndpoint = endpoint('GET', '/account', object({}), ({ store: { accountId } }) => ({
  id: accountId,
  object: 'account',
  country: 'US',
  default_currency: 'usd',
  charges_enabled: true,
  payouts_enabled: true,
  details_submitted: true,
  metadata: {},
  type: 'standard',
}))

/** What `expand` finds of customers and their cards. */
export const customerExpansions: Expansions = {
  objects: {
    cus_: objectsOf('customer', toWireCustomer),
    pm_: objectsOf('paymentMethod', toWirePaymentMethod),
  },
  included: {},
}

/** What `expand` finds of what is sold. */
export const catalogueExpansions: Expansions = {
  objects: {
    product: objectsOf('product', toWireProduct),
    price_: objectsOf('price', toWirePrice),
    coupon: (store, id) => {
      const coupon = store.of('coupon').find(id)
      // What was redeemed still shows what it was.
      return coupon && toWireCoupon(store, { ...coupon, deleted: false })
    },
    promo_: objectsOf('promotionCode', toWirePromotionCode),
  },
  included: {},
}

/** What `expand` finds of subscriptions, invoices and payments, and of the clocks that they hang on. */
export const billingExpansions: Expansions = {
  objects: {
    sub_: (store, id) => {
      // Schedules begin alike: `sub_sched_…`.
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
    'invoice.payments': (store, { id }) => {
      const invoice = store.of('invoice').find(String(id))
      return invoice ? invoicePayments(invoice) : null
    },
  },
}
