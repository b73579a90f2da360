import type { FastifyInstance, FastifyReply } from 'fastify'
import { orFault, StripeFault } from '../protocol/errors.ts'
import { changeCard, openInvoices } from '../resources/portal-session/change-card.ts'
import { portalPath } from '../resources/portal-session/portal-path.ts'
import { offeredPrices, stay, switchPlan, switchTerms } from '../resources/portal-session/switch-plan.ts'
import { changeSubscription } from '../resources/subscription/change-subscription.ts'
import { asOne } from '../store/as-one.ts'
import type { KeptWorld } from '../store/create-store.ts'
import { authenticationPage, digitsOf, notProved } from './card-form.ts'
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
export function addPortalPages(app: FastifyInstance, { world, onFailure }: StripePages): void {
  app.register(async (pages) => {
    servePages(pages, onFailure)

    pages.get<{ Params: PortalPath; Querystring: { done?: string } }>(base, (request, reply) => {
      const { session } = openSession(world, request)
      const { flow } = session
      if (flow)
        return reply.redirect(portalPath(session.id, `/subscriptions/${flow.subscriptionId}/confirm`), 303)
      const { done } = request.query
      return sendOfSession(reply, session, homePage(world, session, isDone(done) ? done : undefined))
    })

    addSwitching(pages, world)
    addCancelling(pages, world)
    addCard(pages, world)
  })
}

function addSwitching(pages: FastifyInstance, world: KeptWorld) {
  pages.get<{ Params: PortalPath }>(`${ofSubscription}/update`, (request, reply) => {
    const { session, subscription, configuration } = openSubscription(world, request, 'subscriptionUpdate')
    const prices = offeredPrices(world, configuration, subscription)
    return sendOfSession(reply, session, plansPage(world, session, subscription, prices))
  })

  pages.get<{ Params: PortalPath; Querystring: { price?: string } }>(
    `${ofSubscription}/confirm`,
    (request, reply) => sendConfirm(world, reply, request, request.query.price),
  )

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/confirm`, (request, reply) => {
    const { subscription, ...open } = openSubscription(world, request, 'subscriptionUpdate')
    const { price } = fieldsOf(request)
    const wanted = wantedSwitch(world, open, subscription, price)
    const { when } = switchTerms(world, open.configuration, subscription, wanted)
    const outcome = orFault(() =>
      asOne(world, () => switchPlan(world, open.configuration, subscription, wanted)),
    )
    if (outcome instanceof StripeFault) return sendConfirm(world, reply, request, price, outcome.message)
    return finish(world, reply, open.session, when === 'now' ? 'switched' : 'scheduled')
  })

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/stay`, (request, reply) => {
    const { session, subscription } = openSubscription(world, request, 'subscriptionUpdate')
    asOne(world, () => stay(world, subscription))
    return finish(world, reply, session, 'stayed')
  })
}

function addCancelling(pages: FastifyInstance, world: KeptWorld) {
  pages.get<{ Params: PortalPath }>(`${ofSubscription}/cancel`, (request, reply) => {
    const { session, subscription } = openSubscription(world, request, 'subscriptionCancel')
    return sendOfSession(reply, session, cancelPage(world, session, subscription))
  })

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/cancel`, (request, reply) => {
    const { session, subscription } = openSubscription(world, request, 'subscriptionCancel')
    asOne(world, () => {
      stay(world, subscription)
      // In flexible billing mode the portal sets the moment, and `cancel_at_period_end` stays false.
      changeSubscription(world, subscription.id, { cancelAt: 'max_period_end' })
    })
    return finish(world, reply, session, 'cancelled')
  })

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/resume`, (request, reply) => {
    const { session, subscription } = openSubscription(world, request, 'subscriptionCancel')
    asOne(world, () => changeSubscription(world, subscription.id, { cancelAt: null }))
    return finish(world, reply, session, 'resumed')
  })
}

function addCard(pages: FastifyInstance, world: KeptWorld) {
  pages.get<{ Params: PortalPath }>(`${base}/card`, (request, reply) =>
    sendCard(world, reply, request, { card: '' }),
  )

  pages.post<{ Params: PortalPath }>(`${base}/card`, (request, reply) => {
    const { session } = openSession(world, request, 'paymentMethodUpdate')
    const { answer, card = '', fill } = fieldsOf(request)
    if (fill) return sendCard(world, reply, request, { card: fill })
    if (answer === 'fail-authentication') return sendCard(world, reply, request, { card, problem: notProved })
    const isAuthenticated = answer === 'authenticate'
    const change = orFault(() =>
      asOne(world, () => changeCard(world, session.customerId, digitsOf(card), { isAuthenticated })),
    )
    if (change instanceof StripeFault)
      return sendCard(world, reply, request, { card, problem: change.message })
    if (change.kind === 'needs-authentication') {
      const action = portalPath(session.id, '/card')
      const page = authenticationPage({ action, back: action, card, hidden: { card } })
      return sendOfSession(reply, session, page)
    }
    if (change.refused === null)
      return finish(world, reply, session, change.paid.length > 0 ? 'saved-and-paid' : 'saved')
    const problem = `The card is saved, but what is open could not be paid with it. ${change.refused}`
    return sendCard(world, reply, request, { card: '', problem })
  })
}

function sendCard(
  world: KeptWorld,
  reply: FastifyReply,
  request: PortalRequest,
  typed: { card: string; problem?: string },
) {
  const { session } = openSession(world, request, 'paymentMethodUpdate')
  return sendOfSession(reply, session, cardPage(session, typed, openInvoices(world, session.customerId)))
}

function sendConfirm(
  world: KeptWorld,
  reply: FastifyReply,
  request: PortalRequest,
  price: string | undefined,
  problem?: string,
) {
  const { subscription, ...open } = openSubscription(world, request, 'subscriptionUpdate')
  const wanted = wantedSwitch(world, open, subscription, price)
  const terms = switchTerms(world, open.configuration, subscription, wanted)
  const html = confirmPage(world, open.session, subscription, wanted, terms, problem)
  return sendOfSession(reply, open.session, html)
}
