import { type Expansions, objectsOf } from '../http/expand.ts'
import { listWithin } from '../protocol/list.ts'
import type { WireObject } from '../protocol/wire-object.ts'
import { runningSubscriptions } from '../rules/running-subscriptions.ts'
import { toWireDiscount } from '../wire/discount.ts'
import { expandedInvoiceFields, toWireInvoice, toWireInvoiceItem } from '../wire/invoice.ts'
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
    ii_: objectsOf('invoiceItem', toWireInvoiceItem),
    pi_: objectsOf('paymentIntent', toWirePaymentIntent),
    ch_: objectsOf('charge', toWireCharge),
    re_: objectsOf('refund', toWireRefund),
    dp_: objectsOf('dispute', toWireDispute),
    di_: findDiscount,
    clock_: objectsOf('testClock', toWireTestClock),
  },
  included: {
    'customer.subscriptions': (world, { id }) => {
      const wire = runningSubscriptions(world, String(id)).map((subscription) =>
        toWireSubscription(world, subscription),
      )
      return listWithin(wire, `/v1/customers/${id}/subscriptions`)
    },
    'invoice.confirmation_secret': (world, { id }) => invoicePart(world, id, 'confirmation_secret'),
    'invoice.payments': (world, { id }) => invoicePart(world, id, 'payments'),
  },
}

/** A part of an invoice that exists; a preview has none of them. */
function invoicePart(world: World, id: unknown, part: 'confirmation_secret' | 'payments'): unknown {
  const invoice = world.of('invoice').find(String(id))
  return invoice ? expandedInvoiceFields(world, invoice)[part] : null
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
