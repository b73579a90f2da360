import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, invalid, orApiError, resourceMissing } from '../protocol/errors.ts'
import {
  cancelPendingSwitch,
  changeCard,
  offeredPrices,
  openInvoices,
  type PlanSwitch,
  switchPlan,
  switchTerms,
} from '../resources/portal-session/portal-actions.ts'
import type { PortalConfigurationRecord } from '../resources/portal-session/portal-configuration.ts'
import { isOpen, type PortalSessionRecord, portalPath } from '../resources/portal-session/portal-session.ts'
import { changeSubscription } from '../resources/subscription/change-subscription.ts'
import { runningSubscriptions, type SubscriptionRecord } from '../resources/subscription/subscription.ts'
import type { AccountStore } from '../store/create-store.ts'
import type { Store } from '../store/store.ts'
import { authenticationFailed, authenticationPage, digitsOf } from './card-form.ts'
import { fieldsOf, type StripePages, sendStripePage, servePages } from './page.ts'
import { type Done, homePage, isDone } from './portal-home.ts'
import { cancelPage, cardPage, confirmPage, plansPage } from './portal-pages.ts'

const base = '/stripe/portal/:id'
const ofSubscription = `${base}/subscriptions/:subscription`

/** Serves the portal pages. Their addresses are secret. */
export function addPortalPages(app: FastifyInstance, { store, onFailure }: StripePages): void {
  app.register(async (pages) => {
    servePages(pages, onFailure)

    pages.get<{ Params: PortalPath; Querystring: { done?: string } }>(base, (request, reply) => {
      const { session } = openSession(store, request)
      const { flow } = session
      if (flow)
        return reply.redirect(portalPath(session.id, `/subscriptions/${flow.subscriptionId}/confirm`), 303)
      const { done } = request.query
      return sendOfSession(reply, session, homePage(store, session, isDone(done) ? done : undefined))
    })

    addSwitching(pages, store)
    addCancelling(pages, store)
    addCard(pages, store)
  })
}

function addSwitching(pages: FastifyInstance, store: AccountStore) {
  pages.get<{ Params: PortalPath }>(`${ofSubscription}/update`, (request, reply) => {
    const { session, subscription, configuration } = openSubscription(store, request, 'subscriptionUpdate')
    const prices = offeredPrices(store, configuration, subscription)
    return sendOfSession(reply, session, plansPage(store, session, subscription, prices))
  })

  pages.get<{ Params: PortalPath; Querystring: { price?: string } }>(
    `${ofSubscription}/confirm`,
    (request, reply) => sendConfirm(store, reply, request, request.query.price),
  )

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/confirm`, (request, reply) => {
    const { subscription, ...open } = openSubscription(store, request, 'subscriptionUpdate')
    const { price } = fieldsOf(request)
    const wanted = wantedSwitch(store, open, subscription, price)
    const { when } = switchTerms(store, open.configuration, subscription, wanted)
    const outcome = orApiError(() =>
      store.transact(() => switchPlan(store, open.configuration, subscription, wanted)),
    )
    if (outcome instanceof ApiError) return sendConfirm(store, reply, request, price, outcome.message)
    return finish(store, reply, open.session, when === 'now' ? 'switched' : 'scheduled')
  })

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/stay`, (request, reply) => {
    const { session, subscription } = openSubscription(store, request, 'subscriptionUpdate')
    store.transact(() => cancelPendingSwitch(store, subscription))
    return finish(store, reply, session, 'stayed')
  })
}

function addCancelling(pages: FastifyInstance, store: AccountStore) {
  pages.get<{ Params: PortalPath }>(`${ofSubscription}/cancel`, (request, reply) => {
    const { session, subscription } = openSubscription(store, request, 'subscriptionCancel')
    return sendOfSession(reply, session, cancelPage(store, session, subscription))
  })

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/cancel`, (request, reply) => {
    const { session, subscription } = openSubscription(store, request, 'subscriptionCancel')
    store.transact(() => {
      cancelPendingSwitch(store, subscription)
      // In flexible billing mode the portal sets `cancel_at`, and `cancel_at_period_end` stays false.
      changeSubscription(store, subscription.id, { cancelAt: 'max_period_end' })
    })
    return finish(store, reply, session, 'canceled')
  })

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/resume`, (request, reply) => {
    const { session, subscription } = openSubscription(store, request, 'subscriptionCancel')
    store.transact(() => changeSubscription(store, subscription.id, { cancelAt: null }))
    return finish(store, reply, session, 'resumed')
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
      return sendOfSession(reply, session, page)
    }
    if (change.refused === null)
      return finish(store, reply, session, change.paid.length > 0 ? 'saved-and-paid' : 'saved')
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
  return sendOfSession(reply, session, cardPage(session, typed, openInvoices(store, session.customerId)))
}

function sendConfirm(
  store: AccountStore,
  reply: FastifyReply,
  request: PortalRequest,
  price: string | undefined,
  problem?: string,
) {
  const { subscription, ...open } = openSubscription(store, request, 'subscriptionUpdate')
  const wanted = wantedSwitch(store, open, subscription, price)
  const terms = switchTerms(store, open.configuration, subscription, wanted)
  const html = confirmPage(store, open.session, subscription, wanted, terms, problem)
  return sendOfSession(reply, open.session, html)
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

/** Returns the switch of the session's flow, or the one chosen from the list of plans. */
function wantedSwitch(
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

/** Sends a page of a session, whose forms may redirect to the session's return addresses. */
function sendOfSession(
  reply: FastifyReply,
  { returnUrl, flow }: PortalSessionRecord,
  html: string,
): FastifyReply {
  return sendStripePage(reply, html, [returnUrl, flow?.returnUrl])
}

/** Redirects to where the flow leads, or to the home page with a confirmation. */
function finish(store: Store, reply: FastifyReply, session: PortalSessionRecord, done: Done): FastifyReply {
  const home = `${portalPath(session.id)}?done=${done}`
  if (session.flow?.returnUrl) return reply.redirect(session.flow.returnUrl, 303)
  if (session.flow) store.of('portalSession').put({ ...session, flow: null })
  return reply.redirect(home, 303)
}
