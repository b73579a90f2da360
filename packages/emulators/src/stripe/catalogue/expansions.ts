import { runningSubscriptions } from '../billing/subscriptions/running-subscriptions.ts'
import { type Expansions, objectsOf } from '../expand.ts'
import { listWithin } from '../list.ts'
import { toWireCoupon, toWirePrice, toWireProduct, toWirePromotionCode } from '../wire/catalogue.ts'
import { toWireCustomer } from '../wire/customer.ts'
import { toWirePaymentMethod } from '../wire/payment-method.ts'
import { toWireSubscription } from '../wire/subscription.ts'
import { toWireTestClock } from '../wire/test-clock.ts'

/** What `expand` finds of customers and of what is sold to them. */
export const catalogueExpansions: Expansions = {
  objects: {
    cus_: objectsOf('customer', toWireCustomer),
    product: objectsOf('product', toWireProduct),
    price_: objectsOf('price', toWirePrice),
    coupon: (world, id) => {
      const coupon = world.of('coupon').find(id)
      // What was redeemed still shows what it was.
      return coupon && toWireCoupon(world, { ...coupon, deleted: false })
    },
    promo_: objectsOf('promotionCode', toWirePromotionCode),
    pm_: objectsOf('paymentMethod', toWirePaymentMethod),
    clock_: objectsOf('testClock', toWireTestClock),
  },
  included: {
    'coupon.applies_to': (world, { id }) => ({
      products: world.of('coupon').find(String(id))?.appliesToProductIds ?? [],
    }),
    'customer.sources': (_world, { id }) => listWithin([], `/v1/customers/${id}/sources`),
    'customer.subscriptions': (world, { id }) => {
      const wire = runningSubscriptions(world, String(id)).map((subscription) =>
        toWireSubscription(world, subscription),
      )
      return listWithin(wire, `/v1/customers/${id}/subscriptions`)
    },
    'customer.tax_ids': (_world, { id }) => listWithin([], `/v1/customers/${id}/tax_ids`),
  },
}
