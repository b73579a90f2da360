import type { z } from 'zod'
import { invalid, resourceMissing } from '../../protocol/errors.ts'
import type { Store } from '../../store/store.ts'
import { requireCustomer } from '../customer/customer.ts'
import { hasEnded } from '../subscription/running-subscriptions.ts'
import type { PortalConfigurationRecord, PortalFlow, PortalSessionRecord } from './portal.record.ts'
import type { createSessionParams } from './portal-params.ts'
import { portalPath } from './portal-path.ts'

type Params = z.infer<typeof createSessionParams>

/** Creates a session of the portal, with its page. Throws what Stripe throws. */
export function createPortalSession(store: Store, params: Params): PortalSessionRecord {
  const { id: customerId } = requireCustomer(store, params.customer, 'customer')
  const configuration = store.of('portalConfiguration').get(params.configuration, 'configuration')
  if (!configuration.active) {
    throw invalid(`The configuration \`${configuration.id}\` is inactive.`, { param: 'configuration' })
  }
  const { flow_data: flow } = params
  const id = store.newId('bps')
  return store.of('portalSession').put({
    id,
    created: store.now(),
    customerId,
    configurationId: configuration.id,
    returnUrl: params.return_url ?? configuration.defaultReturnUrl,
    url: `${store.pageOrigin()}${portalPath(id)}`,
    flow: flow ? flowOf(store, flow, customerId, configuration) : null,
  })
}

function flowOf(
  store: Store,
  { subscription_update_confirm: wanted, after_completion: after }: NonNullable<Params['flow_data']>,
  customerId: string,
  { id, features, products }: PortalConfigurationRecord,
): PortalFlow {
  const within = 'flow_data[subscription_update_confirm]'
  if (!features.subscriptionUpdate) {
    const message =
      'This session cannot be created because the subscription update feature in the portal configuration is disabled.'
    throw invalid(message, { param: 'flow_data[type]' })
  }
  const param = `${within}[subscription]`
  const subscription = store.of('subscription').get(wanted.subscription, param)
  if (subscription.customerId !== customerId) throw resourceMissing('subscription', subscription.id, param)
  if (hasEnded(subscription)) {
    throw invalid(`The subscription \`${subscription.id}\` has ended and cannot be changed.`, { param })
  }
  const { item } = subscription
  const [{ id: itemId, price: priceId, quantity = item.quantity }] = wanted.items
  if (itemId !== item.id) throw resourceMissing('subscription item', itemId, `${within}[items][0][id]`)
  if (priceId === item.priceId && quantity === item.quantity) {
    throw invalid('There is no change to confirm in this subscription update.', { param: within })
  }
  if (!products.some(({ priceIds }) => priceIds.includes(priceId))) {
    const message = `The item \`${itemId}\` cannot be updated to price \`${priceId}\` because the configuration \`${id}\` does not include the price in its \`features[subscription_update][products]\`.`
    throw invalid(message, { param: `${within}[items][0][price]` })
  }
  const returnUrl = after?.redirect.return_url ?? null
  return { subscriptionId: subscription.id, itemId, priceId, quantity, returnUrl }
}
