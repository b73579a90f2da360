import type { WireObject } from '../protocol/wire-object.ts'
import { type Expansions, objectsOf } from '../server/expand.ts'
import type { Store } from '../store/store.ts'
import { toWireCharge, toWireDispute, toWirePaymentIntent, toWireRefund } from './charge/charge.ts'
import { toWireDiscount } from './coupon/discount.wire.ts'
import { invoicePayments, toWireInvoice } from './invoice/invoice.ts'
import { toWireSchedule, toWireSubscription } from './subscription/subscription.ts'
import { toWireTestClock } from './test-clock/test-clock.wire.ts'

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

/** A discount by its id, wherever it is at work. */
function findDiscount(store: Store, id: string): WireObject | undefined {
  for (const subscription of store.of('subscription').list()) {
    const discount = subscription.discounts.find((one) => one.id === id)
    const { customerId, id: subscriptionId } = subscription
    if (discount) return toWireDiscount(store, discount, { customerId, subscriptionId })
  }
  for (const { discounts, customerId, subscriptionId, id: invoiceId } of store.of('invoice').list()) {
    const discount = discounts.find((one) => one.id === id)
    if (discount) return toWireDiscount(store, discount, { customerId, subscriptionId, invoiceId })
  }
  return undefined
}
