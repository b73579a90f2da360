import type { z } from 'zod'
import { invalid, parameterMissing, resourceMissing } from '../../protocol/errors.ts'
import type {
  AfterCompletion,
  PortalConfigurationRecord,
  PortalFlow,
  PortalSessionRecord,
} from '../../records/portal.ts'
import type { SubscriptionRecord } from '../../records/subscription.ts'
import { hasEnded } from '../../rules/running-subscriptions.ts'
import type { World } from '../../world/world.ts'
import { portalPath } from '../portal-path.ts'
import { defaultConfiguration } from './configurations.ts'
import type { createSessionParams } from './portal-params.ts'

type Params = z.infer<typeof createSessionParams>
type FlowData = NonNullable<Params['flow_data']>

/** A new session of the portal, with its page. Throws what Stripe throws. */
export function createPortalSession(world: World, params: Params): PortalSessionRecord {
  const customer = world.of('customer').get(params.customer, 'customer')
  if (customer.deleted) throw resourceMissing('customer', customer.id, 'customer')
  const configuration = configurationOf(world, params.configuration)
  const { flow_data: flow } = params
  const id = world.newId('bps')
  return world.of('portalSession').put({
    id,
    created: world.now(),
    customerId: customer.id,
    configurationId: configuration.id,
    returnUrl: params.return_url ?? configuration.defaultReturnUrl,
    locale: params.locale ?? null,
    url: `${world.pageOrigin()}${portalPath(id)}`,
    flow: flow ? flowOf(world, flow, customer.id, configuration) : null,
    afterCompletion: afterCompletionOf(flow?.after_completion),
  })
}

function configurationOf(world: World, id: string | undefined) {
  if (id === undefined) return defaultConfiguration(world)
  const configuration = world.of('portalConfiguration').get(id, 'configuration')
  if (configuration.active) return configuration
  throw invalid(`The configuration \`${id}\` is inactive.`, { param: 'configuration' })
}

function flowOf(
  world: World,
  flow: FlowData,
  customerId: string,
  configuration: PortalConfigurationRecord,
): PortalFlow {
  const { features } = configuration
  switch (flow.type) {
    case 'payment_method_update':
      if (!features.paymentMethodUpdate.enabled) throw disabled('payment method update')
      return { type: flow.type }
    case 'subscription_cancel': {
      if (!features.subscriptionCancel.enabled) throw disabled('subscription cancel')
      const subscription = subscriptionOf(world, flow, customerId)
      if (subscription.cancelAtPeriodEnd || subscription.cancelAt !== null) {
        const message = `The subscription \`${subscription.id}\` is already set to be canceled.`
        throw invalid(message, { param: 'flow_data[subscription_cancel][subscription]' })
      }
      return { type: flow.type, subscriptionId: subscription.id }
    }
    case 'subscription_update':
      if (!features.subscriptionUpdate.enabled) throw disabled('subscription update')
      return { type: flow.type, subscriptionId: subscriptionOf(world, flow, customerId).id }
    case 'subscription_update_confirm':
      if (!features.subscriptionUpdate.enabled) throw disabled('subscription update')
      return confirmationOf(flow, subscriptionOf(world, flow, customerId), configuration)
  }
}

function disabled(feature: string) {
  const message = `This session cannot be created because the ${feature} feature in the portal configuration is disabled.`
  return invalid(message, { param: 'flow_data[type]' })
}

function subscriptionOf(world: World, flow: FlowData, customerId: string): SubscriptionRecord {
  const part = flow.type === 'payment_method_update' ? undefined : flow[flow.type]
  const param = `flow_data[${flow.type}][subscription]`
  if (!part) throw parameterMissing(param)
  const subscription = world.of('subscription').get(part.subscription, param)
  if (subscription.customerId !== customerId) throw resourceMissing('subscription', subscription.id, param)
  if (hasEnded(subscription)) {
    throw invalid(`The subscription \`${subscription.id}\` has ended and cannot be changed.`, { param })
  }
  return subscription
}

function confirmationOf(
  flow: FlowData,
  subscription: SubscriptionRecord,
  { id, features }: PortalConfigurationRecord,
): PortalFlow {
  const part = flow.subscription_update_confirm
  const within = 'flow_data[subscription_update_confirm]'
  const items = (part?.items ?? []).map((wanted, index) => {
    const item = subscription.items.find((one) => one.id === wanted.id)
    if (!item) throw resourceMissing('subscription item', wanted.id, `${within}[items][${index}][id]`)
    const priceId = wanted.price ?? item.priceId
    const isOffered = features.subscriptionUpdate.products.some(({ priceIds }) => priceIds.includes(priceId))
    if (!isOffered && priceId !== item.priceId) {
      const message = `The item \`${item.id}\` cannot be updated to price \`${priceId}\` because the configuration \`${id}\` does not include the price in its \`features[subscription_update][products]\`.`
      throw invalid(message, { param: `${within}[items][${index}][price]` })
    }
    return { itemId: item.id, priceId, quantity: wanted.quantity ?? item.quantity }
  })
  const isChange = items.some(({ itemId, priceId, quantity }) =>
    subscription.items.some(
      (item) => item.id === itemId && (item.priceId !== priceId || item.quantity !== quantity),
    ),
  )
  const discounts = (part?.discounts ?? []).map(({ coupon, promotion_code: code }) => ({
    couponId: coupon ?? null,
    promotionCodeId: code ?? null,
  }))
  if (!isChange && discounts.length === 0) {
    throw invalid('There is no change to confirm in this subscription update.', { param: within })
  }
  return { type: 'subscription_update_confirm', subscriptionId: subscription.id, items, discounts }
}

function afterCompletionOf(after: FlowData['after_completion']): AfterCompletion {
  switch (after?.type) {
    case 'redirect': {
      if (!after.redirect) throw parameterMissing('flow_data[after_completion][redirect]')
      return { type: 'redirect', returnUrl: after.redirect.return_url }
    }
    case 'hosted_confirmation':
      return { type: after.type, customMessage: after.hosted_confirmation?.custom_message ?? null }
    case 'portal_homepage':
    case undefined:
      return { type: 'portal_homepage' }
  }
}
