import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError, orApiError } from '../protocol/errors.ts'
import { changeCard, openInvoices } from '../resources/portal-session/change-card.ts'
import { portalPath } from '../resources/portal-session/portal-path.ts'
import {
  cancelPendingSwitch,
  offeredPrices,
  switchPlan,
  switchTerms,
} from '../resources/portal-session/switch-plan.ts'
import { changeSubscription } from '../resources/subscription/change-subscription.ts'
import type { AccountStore } from '../store/create-store.ts'
import { authenticationFailed, authenticationPage, digitsOf } from './card-form.ts'
import { homePage, isDone } from './portal-home.ts'
import { cancelPage, cardPage, confirmPage, plansPage } from './portal-pages.ts'
import {
  finish,
  openSession,
  openSubscription,
  type PortalPath,
  type PortalRequest,
  sendOfSession,
  wantedSwitch,
} from './portal-session.ts'
import { fieldsOf, type StripePages, servePages } from './serve-pages.ts'

const base = '/stripe/portal/:id'
const ofSubscription = `${base}/subscriptions/:subscription`

/** The pages of portal sessions: plain forms, whose addresses nobody can guess. */
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
      // In flexible billing mode the portal sets the moment, and `cancel_at_period_end` stays false.
      changeSubscription(store, subscription.id, { cancelAt: 'max_period_end' })
    })
    return finish(store, reply, session, 'cancelled')
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
    const problem = `The card is saved, but what is open could not be paid with it. ${change.refused}`
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
