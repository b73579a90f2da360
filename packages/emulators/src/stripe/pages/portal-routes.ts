import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, invalid, orApiError, resourceMissing } from '../protocol/errors.ts'
import { changeSubscription } from '../resources/billing/change-subscription.ts'
import { runningSubscriptions, type SubscriptionRecord } from '../resources/billing/subscription.ts'
import { cancelPendingSwitch, changeCard, openInvoices } from '../resources/portal/portal-actions.ts'
import type { PortalConfigurationRecord } from '../resources/portal/portal-configuration.ts'
import { isOpen, type PortalSessionRecord, portalPath } from '../resources/portal/portal-session.ts'
import type { AccountStore } from '../store/create-store.ts'
import type { Store } from '../store/store.ts'
import { authenticationFailed, authenticationPage, digitsOf } from './card-form.ts'
import { fieldsOf, type StripePages, sendStripePage, servePages } from './page.ts'
import { type Done, homePage, isDone } from './portal-home.ts'
import { cancelPage, cardPage } from './portal-pages.ts'

const base = '/stripe/portal/:id'
const ofSubscription = `${base}/subscriptions/:subscription`

/** Serves the portal pages. Their addresses are secret. */
export function addPortalPages(app: FastifyInstance, { store, onFailure }: StripePages): void {
  app.register(async (pages) => {
    servePages(pages, onFailure)

    pages.get<{ Params: PortalPath; Querystring: { done?: string } }>(base, (request, reply) => {
      const { session } = openSession(store, request)
      const { done } = request.query
      return sendStripePage(reply, homePage(store, session, isDone(done) ? done : undefined))
    })

    addCancelling(pages, store)
    addCard(pages, store)
  })
}

function addCancelling(pages: FastifyInstance, store: AccountStore) {
  pages.get<{ Params: PortalPath }>(`${ofSubscription}/cancel`, (request, reply) => {
    const { session, subscription } = openSubscription(store, request, 'subscriptionCancel')
    return sendStripePage(reply, cancelPage(store, session, subscription))
  })

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/cancel`, (request, reply) => {
    const { session, subscription } = openSubscription(store, request, 'subscriptionCancel')
    store.transact(() => {
      cancelPendingSwitch(store, subscription)
      // In flexible billing mode the portal sets `cancel_at`, and `cancel_at_period_end` stays false.
      changeSubscription(store, subscription.id, { cancelAt: 'max_period_end' })
    })
    return finish(reply, session, 'canceled')
  })

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/resume`, (request, reply) => {
    const { session, subscription } = openSubscription(store, request, 'subscriptionCancel')
    store.transact(() => changeSubscription(store, subscription.id, { cancelAt: null }))
    return finish(reply, session, 'resumed')
  })
}

function addCard(pages: FastifyInstance, store: AccountStore) {
  pages.get<{ Params: PortalPath }>(`${base}/card`, (request, reply) =>
    sendCard(store, reply, request, { card: '' }),
  )

  pages.post<{ Params: PortalPath }>(`${base}/card`, (request, reply) => {
    const { session } = openSession(store, request, 'paymentMethodUpdate')
    const { answer, card = '', fill } = fieldsOf(request)
    if (fill) return sendCard(store, reply, request, { card: fill })
    if (answer === 'fail-authentication')
      return sendCard(store, reply, request, { card, problem: authenticationFailed })
    const isAuthenticated = answer === 'authenticate'
    const change = orApiError(() =>
      store.transact(() => changeCard(store, session.customerId, digitsOf(card), { isAuthenticated })),
    )
    if (change instanceof ApiError) return sendCard(store, reply, request, { card, problem: change.message })
    if (change.kind === 'needs-authentication') {
      const action = portalPath(session.id, '/card')
      const page = authenticationPage({ action, back: action, card, hidden: { card } })
      return sendStripePage(reply, page)
    }
    if (change.refused === null)
      return finish(reply, session, change.paid.length > 0 ? 'saved-and-paid' : 'saved')
    const problem = `Your card was saved, but it could not pay your open invoices. ${change.refused}`
    return sendCard(store, reply, request, { card: '', problem })
  })
}

function sendCard(
  store: AccountStore,
  reply: FastifyReply,
  request: PortalRequest,
  typed: { card: string; problem?: string },
) {
  const { session } = openSession(store, request, 'paymentMethodUpdate')
  return sendStripePage(reply, cardPage(session, typed, openInvoices(store, session.customerId)))
}

type PortalPath = { id: string; subscription: string }

type PortalRequest = FastifyRequest<{ Params: PortalPath }>

type OpenSession = { session: PortalSessionRecord; configuration: PortalConfigurationRecord }

/** Returns the session of a page. Throws when it has expired, its customer was deleted, or the feature is off. */
function openSession(
  store: Store,
  { params }: PortalRequest,
  part?: keyof PortalConfigurationRecord['features'],
): OpenSession {
  const session = store.of('portalSession').get(params.id)
  const { customerId, configurationId } = session
  if (!isOpen(store, session)) throw resourceMissing('portal session', session.id)
  if (store.of('customer').get(customerId).deleted) throw resourceMissing('customer', customerId)
  const configuration = store.of('portalConfiguration').get(configurationId)
  if (part && !configuration.features[part]) throw invalid('This portal feature is off.', { status: 403 })
  return { session, configuration }
}

/** Returns the session with a running subscription of its customer. */
function openSubscription(
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

/** Redirects to the home page with a confirmation. */
function finish(reply: FastifyReply, { id }: PortalSessionRecord, done: Done): FastifyReply {
  return reply.redirect(`${portalPath(id)}?done=${done}`, 303)
}
