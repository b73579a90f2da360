import type { Expansions } from '../expand.ts'
import { listWithin } from '../list.ts'
import { toWireCoupon, toWirePrice, toWireProduct, toWirePromotionCode } from '../wire/catalogue.ts'
import { toWireCustomer } from '../wire/customer.ts'
import { toWirePaymentMethod } from '../wire/payment-method.ts'
import { toWireSubscription } from '../wire/subscription.ts'
import { toWireTestClock } from '../wire/test-clock.ts'

/** What `expand` finds of customers and of what is sold to them. */
export const catalogueExpansions: Expansions = {
  objects: {
    cus_: (world, id) => {
      const customer = world.of('customer').find(id)
      return customer && toWireCustomer(world, customer)
    },
    product: (world, id) => {
      const product = world.of('product').find(id)
      return product && toWireProduct(world, product)
    },
    price_: (world, id) => {
      const price = world.of('price').find(id)
      return price && toWirePrice(world, price)
    },
    coupon: (world, id) => {
      const coupon = world.of('coupon').find(id)
      // What was redeemed still shows what it was.
      return coupon && toWireCoupon(world, { ...coupon, deleted: false })
    },
    promo_: (world, id) => {
      const promotionCode = world.of('promotionCode').find(id)
      return promotionCode && toWirePromotionCode(world, promotionCode)
    },
    pm_: (world, id) => {
      const method = world.of('paymentMethod').find(id)
      return method && toWirePaymentMethod(world, method)
    },
    clock_: (world, id) => {
      const clock = world.of('testClock').find(id)
      return clock && toWireTestClock(world, clock)
    },
  },
  included: {
    'coupon.applies_to': (world, { id }) => ({
      products: world.of('coupon').find(String(id))?.appliesToProductIds ?? [],
    }),
    'customer.sources': (_world, { id }) => listWithin([], `/v1/customers/${id}/sources`),
    'customer.subscriptions': (world, { id }) => {
      const living = world.of('subscription').ofCustomer(String(id), ({ endedAt }) => endedAt === null)
      const wire = living.map((subscription) => toWireSubscription(world, subscription))
      return listWithin(wire, `/v1/customers/${id}/subscriptions`)
    },
    'customer.tax_ids': (_world, { id }) => listWithin([], `/v1/customers/${id}/tax_ids`),
  },
}
