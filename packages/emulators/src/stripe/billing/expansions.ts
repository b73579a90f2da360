import { type Expansions, objectsOf } from '../http/expand.ts'
import type { WireObject } from '../protocol/wire-object.ts'
import { toWireDiscount } from '../wire/discount.ts'
import { invoicePayments, toWireInvoice } from '../wire/invoice.ts'
import { toWireCharge, toWireDispute, toWirePaymentIntent, toWireRefund } from '../wire/payment.ts'
import { toWireSchedule, toWireSubscription } from '../wire/subscription.ts'
import { toWireTestClock } from '../wire/test-clock.ts'
import type { World } from '../world/world.ts'

/** What `expand` finds of subscriptions, invoices and payments, and of the clocks that they hang on. */
export const billingExpansions: Expansions = {
  objects: {
    sub_: (world, id) => {
      // Schedules begin alike: `sub_sched_…`.
      const schedule = world.of('schedule').find(id)
      if (schedule) return toWireSchedule(world, schedule)
      const subscription = world.of('subscription').find(id)
      return subscription && toWireSubscription(world, subscription)
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
    'invoice.payments': (world, { id }) => {
      const invoice = world.of('invoice').find(String(id))
      return invoice ? invoicePayments(invoice) : null
    },
  },
}

/** A discount by its id, wherever it is at work. */
function findDiscount(world: World, id: string): WireObject | undefined {
  for (const subscription of world.of('subscription').list()) {
    const discount = subscription.discounts.find((one) => one.id === id)
    const { customerId, id: subscriptionId } = subscription
    if (discount) return toWireDiscount(world, discount, { customerId, subscriptionId })
  }
  for (const { discounts, customerId, subscriptionId, id: invoiceId } of world.of('invoice').list()) {
    const discount = discounts.find((one) => one.id === id)
    if (discount) return toWireDiscount(world, discount, { customerId, subscriptionId, invoiceId })
  }
  return undefined
}
