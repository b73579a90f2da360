import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid, resourceMissing } from '../protocol/errors.ts'
import type {
  PortalConfigurationRecord,
  PortalSessionRecord,
} from '../resources/portal-session/portal.record.ts'
import { portalPath } from '../resources/portal-session/portal-path.ts'
import { offeredPrices, type PlanSwitch } from '../resources/portal-session/switch-plan.ts'
import { runningSubscriptions } from '../resources/subscription/running-subscriptions.ts'
import type { SubscriptionRecord } from '../resources/subscription/subscription.record.ts'
import type { Store } from '../store/store.ts'
import { sendStripePage } from './page.ts'
import type { Done } from './portal-home.ts'

export type PortalPath = { id: string; subscription: string }
export type PortalRequest = FastifyRequest<{ Params: PortalPath }>

/** A session with what it is allowed. */
export type OpenSession = { session: PortalSessionRecord; configuration: PortalConfigurationRecord }

const hourSeconds = 3_600

/** Whether a session has not expired. */
export function isOpen(store: Store, { created }: PortalSessionRecord): boolean {
  return store.now() <= created + hourSeconds
}

/**
 * Returns the session that a page belongs to. Throws when it has expired, its customer was deleted, or the part of the
 * portal is switched off.
 */
export function openSession(
  store: Store,
  { params }: PortalRequest,
  part?: keyof PortalConfigurationRecord['features'],
): OpenSession {
  const session = store.of('portalSession').get(params.id)
  const { customerId, configurationId } = session
  if (!isOpen(store, session)) throw resourceMissing('portal session', session.id)
  if (store.of('customer').get(customerId).deleted) throw resourceMissing('customer', customerId)
  const configuration = store.of('portalConfiguration').get(configurationId)
  if (part && !configuration.features[part])
    throw invalid('This is switched off in the portal.', { status: 403 })
  return { session, configuration }
}

/** The same with a running subscription of the session's customer. */
export function openSubscription(
  store: Store,
  request: PortalRequest,
  part: keyof PortalConfigurationRecord['features'],
): OpenSession & { subscription: SubscriptionRecord } {
  const open = openSession(store, request, part)
  const wanted = request.params.subscription
  const subscription = runningSubscriptions(store, open.session.customerId).find(({ id }) => id === wanted)
  if (!subscription) throw resourceMissing('subscription', wanted)
  return { ...open, subscription }
}

/** Returns the switch that the session's flow is about, or that was chosen from the list of plans. */
export function wantedSwitch(
  store: Store,
  { session: { flow }, configuration }: OpenSession,
  subscription: SubscriptionRecord,
  priceId: string | undefined,
): PlanSwitch {
  if (flow?.subscriptionId === subscription.id) return { priceId: flow.priceId, quantity: flow.quantity }
  const chosen = offeredPrices(store, configuration, subscription).find(({ id }) => id === priceId)
  if (!chosen) throw resourceMissing('price', priceId ?? '')
  return { priceId: chosen.id, quantity: subscription.item.quantity }
}

/** Sends a page of a session; its forms may lead to where the session leads in the end. */
export function sendOfSession(
  reply: FastifyReply,
  { returnUrl, flow }: PortalSessionRecord,
  html: string,
): FastifyReply {
  return sendStripePage(reply, html, [returnUrl, flow?.returnUrl])
}

/** Goes on after something was done: where the flow leads, or to the first page, which says what was done. */
export function finish(
  store: Store,
  reply: FastifyReply,
  session: PortalSessionRecord,
  done: Done,
): FastifyReply {
  const home = `${portalPath(session.id)}?done=${done}`
  if (session.flow?.returnUrl) return reply.redirect(session.flow.returnUrl, 303)
  if (session.flow) store.of('portalSession').put({ ...session, flow: null })
  return reply.redirect(home, 303)
}
