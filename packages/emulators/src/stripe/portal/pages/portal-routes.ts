import type { FastifyInstance, FastifyReply } from 'fastify'
import { changeSubscription } from '../../billing/changes/change.ts'
import { finishAuthentication, tryInvoice } from '../../billing/payments/paying.ts'
import { cancelSubscription } from '../../billing/subscriptions/cancel.ts'
import { authenticationPage, digitsOf, notProved } from '../../pages/card-form.ts'
import { formatMoney } from '../../pages/page.ts'
import { fieldsOf, type StripePages, servePages } from '../../pages/serve-pages.ts'
import { orFault, resourceMissing, StripeFault } from '../../protocol/errors.ts'
import type { SubscriptionRecord } from '../../records/subscription.ts'
import { asOne } from '../../world/as-one.ts'
import type { KeptWorld } from '../../world/create-world.ts'
import { changeCard } from '../acts/card-change.ts'
import { offeredPrices, stay, switchPlan, switchTerms } from '../acts/switch-plan.ts'
import { portalPath } from '../portal-path.ts'
import { addCustomerDetails } from './customer-details.ts'
import { homePage, isDone } from './portal-home.ts'
import { cancelPage, confirmPage, plansPage } from './portal-pages.ts'
import { finish, sendCard, sendOfSession, sendProblem } from './portal-replies.ts'
import {
  type Features,
  openSession,
  openSubscription,
  type PortalPath,
  type PortalRequest,
  pathOfFlow,
  requireEnabled,
  wantedSwitch,
} from './portal-session.ts'

const base = '/stripe/portal/:id'
const ofSubscription = `${base}/subscriptions/:subscription`

/** The pages of portal sessions: plain forms, whose addresses nobody can guess. */
export function addPortalPages(app: FastifyInstance, { world, onFailure }: StripePages): void {
  app.register(async (pages) => {
    servePages(pages, onFailure)

    pages.get<{ Params: PortalPath; Querystring: { done?: string } }>(base, (request, reply) => {
      const { session } = openSession(world, request)
      if (session.flow) return reply.redirect(portalPath(session.id, pathOfFlow(session.flow)), 303)
      const { done } = request.query
      return sendOfSession(reply, session, homePage(world, session, isDone(done) ? { done } : {}))
    })

    addSwitching(pages, world)
    addCancelling(pages, world)
    addCard(pages, world)
    addCustomerDetails(pages, world)

    pages.post<{ Params: PortalPath }>(`${base}/invoices/:invoice/pay`, (request, reply) =>
      payOpenInvoice(world, reply, request),
    )
  })
}

function addSwitching(pages: FastifyInstance, world: KeptWorld) {
  pages.get<{ Params: PortalPath }>(`${ofSubscription}/update`, (request, reply) => {
    const { session, subscription, features } = openSubscription(world, request)
    requireEnabled(features.subscriptionUpdate)
    const prices = offeredPrices(world, features.subscriptionUpdate, subscription)
    return sendOfSession(reply, session, plansPage(world, session, subscription, prices))
  })

  pages.get<{ Params: PortalPath; Querystring: { price?: string } }>(
    `${ofSubscription}/confirm`,
    (request, reply) => sendConfirm(world, reply, request, request.query.price),
  )

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/confirm`, (request, reply) => {
    const { session, subscription, features } = openSubscription(world, request)
    requireEnabled(features.subscriptionUpdate)
    const { price, answer } = fieldsOf(request)
    if (answer === 'fail-authentication') return sendConfirm(world, reply, request, price, notProved)
    const wanted = wantedSwitch(world, session, subscription, features, price)
    const terms = switchTerms(world, features.subscriptionUpdate, subscription, wanted)
    const isAuthenticated = answer === 'authenticate'
    const outcome = orFault(() =>
      asOne(world, () =>
        switchPlan(world, features.subscriptionUpdate, subscription, wanted, { isAuthenticated }),
      ),
    )
    if (!(outcome instanceof StripeFault)) {
      return finish(world, reply, session, terms.when === 'now' ? 'switched' : 'scheduled')
    }
    if (outcome.code !== 'authentication_required' || terms.when !== 'now') {
      return sendConfirm(world, reply, request, price, outcome.message)
    }
    const action = portalPath(session.id, `/subscriptions/${subscription.id}/confirm`)
    const [item] = wanted.items
    const page = authenticationPage({
      action,
      back: portalPath(session.id, '/card'),
      card: '',
      amount: formatMoney(terms.invoice.amountDue, terms.invoice.currency),
      hidden: { price: item?.priceId ?? '' },
    })
    return sendOfSession(reply, session, page)
  })

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/stay`, (request, reply) => {
    const { session, subscription, features } = openSubscription(world, request)
    requireEnabled(features.subscriptionUpdate)
    asOne(world, () => stay(world, subscription))
    return finish(world, reply, session, 'stayed')
  })
}

function addCancelling(pages: FastifyInstance, world: KeptWorld) {
  pages.get<{ Params: PortalPath }>(`${ofSubscription}/cancel`, (request, reply) => {
    const { session, subscription, features } = openSubscription(world, request)
    requireEnabled(features.subscriptionCancel)
    return sendOfSession(
      reply,
      session,
      cancelPage(world, session, subscription, features.subscriptionCancel),
    )
  })

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/cancel`, (request, reply) => {
    const { session, subscription, features } = openSubscription(world, request)
    requireEnabled(features.subscriptionCancel)
    const feedback = fieldsOf(request).feedback || null
    const { status } = asOne(world, () => cancel(world, subscription, features.subscriptionCancel, feedback))
    return finish(world, reply, session, status === 'canceled' ? 'ended' : 'cancelled')
  })

  pages.post<{ Params: PortalPath }>(`${ofSubscription}/resume`, (request, reply) => {
    const { session, subscription, features } = openSubscription(world, request)
    requireEnabled(features.subscriptionCancel)
    asOne(world, () =>
      changeSubscription(world, subscription.id, { cancelAtPeriodEnd: false, cancelAt: null }),
    )
    return finish(world, reply, session, 'resumed')
  })
}

function addCard(pages: FastifyInstance, world: KeptWorld) {
  pages.get<{ Params: PortalPath }>(`${base}/card`, (request, reply) => {
    const { session, features } = openSession(world, request)
    requireEnabled(features.paymentMethodUpdate)
    return sendCard(world, reply, session, { card: '' })
  })

  pages.post<{ Params: PortalPath }>(`${base}/card`, (request, reply) => {
    const { session, features } = openSession(world, request)
    requireEnabled(features.paymentMethodUpdate)
    const { answer, card = '', fill } = fieldsOf(request)
    if (fill) return sendCard(world, reply, session, { card: fill })
    if (answer === 'fail-authentication') {
      return sendCard(world, reply, session, { card, problem: notProved })
    }
    const isAuthenticated = answer === 'authenticate'
    const change = orFault(() =>
      asOne(world, () => changeCard(world, session.customerId, digitsOf(card), { isAuthenticated })),
    )
    if (change instanceof StripeFault) {
      return sendCard(world, reply, session, { card, problem: change.message })
    }
    if (change.kind === 'saved' && change.refused === null) {
      return finish(world, reply, session, change.paid.length > 0 ? 'saved-and-paid' : 'saved')
    }
    if (change.kind === 'saved') {
      const problem = `The card is saved, but what is open could not be paid with it. ${change.refused}`
      return sendCard(world, reply, session, { card: '', problem })
    }
    const action = portalPath(session.id, '/card')
    const page = authenticationPage({ action, back: action, card, hidden: { card } })
    return sendOfSession(reply, session, page)
  })
}

function sendConfirm(
  world: KeptWorld,
  reply: FastifyReply,
  request: PortalRequest,
  price: string | undefined,
  problem?: string,
) {
  const { session, subscription, features } = openSubscription(world, request)
  requireEnabled(features.subscriptionUpdate)
  const wanted = wantedSwitch(world, session, subscription, features, price)
  const terms = switchTerms(world, features.subscriptionUpdate, subscription, wanted)
  return sendOfSession(reply, session, confirmPage(world, session, subscription, wanted, terms, problem))
}

function cancel(
  world: KeptWorld,
  subscription: SubscriptionRecord,
  { mode, prorationBehavior }: Features['subscriptionCancel'],
  feedback: string | null,
): SubscriptionRecord {
  stay(world, subscription)
  if (mode === 'at_period_end') {
    // In flexible billing mode the portal sets the moment, and `cancel_at_period_end` stays false.
    return changeSubscription(world, subscription.id, {
      cancelAt: 'max_period_end',
      cancellation: { feedback },
    })
  }
  const prorate = prorationBehavior !== 'none'
  return cancelSubscription(world, subscription.id, { prorate, feedback })
}

function payOpenInvoice(world: KeptWorld, reply: FastifyReply, request: PortalRequest) {
  const { session } = openSession(world, request)
  const invoice = world.of('invoice').get(request.params.invoice)
  if (invoice.customerId !== session.customerId) throw resourceMissing('invoice', invoice.id)
  if (invoice.status !== 'open') return reply.redirect(portalPath(session.id), 303)
  const { answer } = fieldsOf(request)
  if (answer === 'fail-authentication') {
    const { paymentIntentId } = invoice
    if (paymentIntentId) asOne(world, () => finishAuthentication(world, paymentIntentId, false))
    return sendProblem(world, reply, session, notProved)
  }
  const tried = asOne(world, () =>
    tryInvoice(world, invoice.id, { isAuthenticated: answer === 'authenticate' }),
  )
  switch (tried.answer.kind) {
    case 'paid':
      return finish(world, reply, session, 'paid')
    case 'declined':
      return sendProblem(world, reply, session, tried.answer.message)
    case 'no-card':
      return sendProblem(world, reply, session, 'Add a card first.')
    case 'needs-authentication': {
      const intent = world.of('paymentIntent').find(invoice.paymentIntentId ?? '')
      const page = authenticationPage({
        action: portalPath(session.id, `/invoices/${invoice.id}/pay`),
        back: portalPath(session.id, '/card'),
        card: world.of('paymentMethod').find(intent?.paymentMethodId ?? '')?.last4 ?? '',
        amount: formatMoney(invoice.amountRemaining, invoice.currency),
        hidden: {},
      })
      return sendOfSession(reply, session, page)
    }
  }
}
