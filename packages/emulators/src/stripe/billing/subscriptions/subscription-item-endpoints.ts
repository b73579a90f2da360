import type { z } from 'zod'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { invalid, resourceMissing } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import { metadata, newMetadata } from '../../protocol/metadata.ts'
import { boolean, integerBetween, object, text, timestamp } from '../../protocol/params.ts'
import { toWireSubscriptionItem } from '../../wire/subscription.ts'
import type { World } from '../../world/world.ts'
import { changeSubscription } from '../changes/change.ts'
import { paymentBehavior, prorationBehavior } from './subscription-params.ts'

const items = '/subscription_items'

const billed = {
  payment_behavior: paymentBehavior.optional(),
  proration_behavior: prorationBehavior.optional(),
  proration_date: timestamp.optional(),
}

const described = { metadata: metadata.optional(), quantity: integerBetween(0, 999_999).optional() }

export const subscriptionItemEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    items,
    object({ ...billed, ...described, price: text, subscription: text }),
    ({ world, params }) => {
      const { price, quantity, subscription: id } = params
      world.of('subscription').get(id, 'subscription')
      const added = { priceId: price, quantity, metadata: newMetadata(params.metadata) }
      const subscription = changeSubscription(world, id, { ...billedBy(params), items: [added] })
      const item = subscription.items.find(({ priceId }) => priceId === price)
      if (!item) throw invalid('The item was not added: its payment is outstanding.')
      return toWireSubscriptionItem(world, id, item)
    },
  ),
  endpoint('GET', items, object({ ...pagination, subscription: text }), ({ world, params }) => {
    const subscription = world.of('subscription').get(params.subscription, 'subscription')
    const url = `/v1${items}?subscription=${subscription.id}`
    return listOf(subscription.items, params, url, (item) =>
      toWireSubscriptionItem(world, subscription.id, item),
    )
  }),
  endpoint('GET', `${items}/:id`, object({}), ({ world, id }) => {
    const { subscription, item } = itemOf(world, id)
    return toWireSubscriptionItem(world, subscription.id, item)
  }),
  endpoint(
    'POST',
    `${items}/:id`,
    object({ ...billed, ...described, off_session: boolean.optional(), price: text.optional() }),
    ({ world, params, id }) => {
      const { subscription } = itemOf(world, id)
      const { price, quantity, metadata: pairs } = params
      const change = {
        itemId: id,
        priceId: price,
        quantity,
        metadata: pairs ? newMetadata(pairs) : undefined,
      }
      changeSubscription(world, subscription.id, { ...billedBy(params), items: [change] })
      return toWireSubscriptionItem(world, subscription.id, itemOf(world, id).item)
    },
  ),
  endpoint(
    'DELETE',
    `${items}/:id`,
    object({ ...billed, clear_usage: boolean.optional() }),
    ({ world, params, id }) => {
      const { subscription } = itemOf(world, id)
      const change = { ...billedBy(params), items: [{ itemId: id, isDeleted: true }] }
      changeSubscription(world, subscription.id, change)
      return { id, object: 'subscription_item', deleted: true }
    },
  ),
]

type Billed = z.infer<ReturnType<typeof object<typeof billed>>>

function billedBy(params: Billed) {
  return {
    paymentBehavior: params.payment_behavior,
    prorationBehavior: params.proration_behavior,
    prorationDate: params.proration_date,
  }
}

function itemOf(world: World, id: string) {
  for (const subscription of world.of('subscription').list()) {
    const item = subscription.items.find((one) => one.id === id)
    if (item) return { subscription, item }
  }
  throw resourceMissing('subscription_item', id)
}
