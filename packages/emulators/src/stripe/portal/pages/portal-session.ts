import type { FastifyRequest } from 'fastify'
import { invalid, resourceMissing } from '../../protocol/errors.ts'
import type { PortalConfigurationRecord, PortalFlow, PortalSessionRecord } from '../../records/portal.ts'
import type { SubscriptionRecord } from '../../records/subscription.ts'
import { runningSubscriptions } from '../../rules/running-subscriptions.ts'
import type { World } from '../../world/world.ts'
import { offeredPrices, type Switch } from '../acts/switch-plan.ts'

export type PortalPath = { id: string; subscription: string; invoice: string }
export type PortalRequest = FastifyRequest<{ Params: PortalPath }>
export type Features = PortalConfigurationRecord['features']

const hourSeconds = 3_600

/** Whether the time of a session is not over yet. */
export function isOpen(world: World, { created }: PortalSessionRecord): boolean {
  return world.now() <= created + hourSeconds
}

/** The session that a page belongs to. It is there for an hour; then it is not found, nor is one of a deleted customer. */
export function openSession(
  world: World,
  { params }: PortalRequest,
): { session: PortalSessionRecord; features: Features } {
  const session = world.of('portalSession').get(params.id)
  const { customerId, configurationId } = session
  if (!isOpen(world, session)) throw resourceMissing('portal session', session.id)
  if (world.of('customer').get(customerId).deleted) throw resourceMissing('customer', customerId)
  return { session, features: world.of('portalConfiguration').get(configurationId).features }
}

/** The same with a running subscription of the session's customer, and no other's. */
export function openSubscription(world: World, request: PortalRequest) {
  const { session, features } = openSession(world, request)
  const wanted = request.params.subscription
  const subscription = runningSubscriptions(world, session.customerId).find(({ id }) => id === wanted)
  if (!subscription) throw resourceMissing('subscription', wanted)
  return { session, features, subscription }
}

/** Throws when the configuration has this switched off. */
export function requireEnabled({ enabled }: { enabled: boolean }): void {
  if (!enabled) throw invalid('This is switched off in the portal.', { status: 403 })
}

/** The page that a flow leads to, below the session's own. */
export function pathOfFlow(flow: PortalFlow): string {
  switch (flow.type) {
    case 'payment_method_update':
      return '/card'
    case 'subscription_cancel':
      return `/subscriptions/${flow.subscriptionId}/cancel`
    case 'subscription_update':
      return `/subscriptions/${flow.subscriptionId}/update`
    case 'subscription_update_confirm':
      return `/subscriptions/${flow.subscriptionId}/confirm`
  }
}

/** The switch that the session's flow is about, or that was chosen from the list of plans. */
export function wantedSwitch(
  world: World,
  { flow }: PortalSessionRecord,
  subscription: SubscriptionRecord,
  { subscriptionUpdate }: Features,
  priceId: string | undefined,
): Switch {
  if (flow?.type === 'subscription_update_confirm' && flow.subscriptionId === subscription.id) {
    return { items: flow.items, discounts: flow.discounts }
  }
  const [item] = subscription.items
  const chosen = offeredPrices(world, subscriptionUpdate, subscription).find(({ id }) => id === priceId)
  if (!item || !chosen) throw resourceMissing('price', priceId ?? '')
  return { items: [{ itemId: item.id, priceId: chosen.id, quantity: item.quantity }], discounts: [] }
}
