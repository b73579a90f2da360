import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, orApiError } from '../protocol/errors.ts'
import {
  type CheckoutSessionRecord,
  checkoutPath,
  checkoutTotals,
  currentSession,
} from '../resources/checkout/checkout-session.ts'
import { type Payment, type PaymentOutcome, paySession } from '../resources/checkout/pay-checkout-session.ts'
import { isRedeemable } from '../resources/products/discount.ts'
import { findPromotionCode } from '../resources/products/promotion-code.ts'
import type { AccountStore } from '../store/create-store.ts'
import { authenticationPage, digitsOf } from './card-form.ts'
import { completePage, expiredPage, payingPage, successUrl, type Typed } from './checkout-page.ts'
import { fieldsOf, formatMoney, type StripePages, sendStripePage, servePages } from './page.ts'

type Request = FastifyRequest<{ Params: { id: string } }>

const nothingTyped: Typed = { card: '' }

/**
 * Serves the checkout pages. `POST <page>/complete` pays without a browser and returns JSON. `card` names another card
 * than the default.
 */
export function addCheckoutPages(app: FastifyInstance, { store, onFailure }: StripePages): void {
  const path = '/stripe/checkout/:id'

  app.register(async (pages) => {
    servePages(pages, onFailure)

    pages.get<{ Params: { id: string } }>(path, (request, reply) =>
      sendSession(store, reply, currentSession(store, request.params.id), nothingTyped),
    )

    pages.post<{ Params: { id: string } }>(path, (request, reply) => {
      const session = currentSession(store, request.params.id)
      const { answer = 'pay', card = '', fill, promotion = '' } = fieldsOf(request)
      const typed = { card }
      if (session.status !== 'open') return sendSession(store, reply, session, typed)
      if (fill) return sendSession(store, reply, session, { card: fill })
      if (answer === 'promotion')
        return sendSession(store, reply, ...withPromotion(store, session, promotion))
      if (answer === 'remove-promotion') {
        return sendSession(store, reply, withoutPromotion(store, session), typed)
      }
      const authentication = authenticationOf(answer)
      const outcome = tryToPay(store, session, { card: digitsOf(card), authentication })
      return sendOutcome(store, reply, session, typed, outcome)
    })

    pages.post<{ Params: { id: string } }>(`${path}/complete`, (request, reply) =>
      finish(store, request, reply),
    )
  })
}

function authenticationOf(answer: string): Payment['authentication'] {
  if (answer === 'authenticate') return 'passed'
  return answer === 'fail-authentication' ? 'failed' : 'not-asked'
}

/** Returns an invalid card number as a decline, so that the page shows it in place. */
function tryToPay(store: AccountStore, session: CheckoutSessionRecord, payment: Payment): PaymentOutcome {
  const outcome = orApiError(() => store.transact(() => paySession(store, session, payment)))
  if (!(outcome instanceof ApiError)) return outcome
  const { type, code = type, message } = outcome
  return { kind: 'declined', code, declineCode: null, message }
}

function sendSession(store: AccountStore, reply: FastifyReply, session: CheckoutSessionRecord, typed: Typed) {
  const { successUrl: success, cancelUrl } = session
  switch (session.status) {
    case 'open':
      return sendStripePage(reply, payingPage(store, session, typed), [success, cancelUrl])
    case 'complete':
      return sendStripePage(reply, completePage(session))
    case 'expired':
      return sendStripePage(reply.code(410), expiredPage(session))
  }
}

function sendOutcome(
  store: AccountStore,
  reply: FastifyReply,
  session: CheckoutSessionRecord,
  typed: Typed,
  outcome: PaymentOutcome,
) {
  switch (outcome.kind) {
    case 'complete':
      return reply.redirect(successUrl(outcome.session), 303)
    case 'needs-authentication': {
      const amount = formatMoney(checkoutTotals(store, session).total, session.currency)
      const action = checkoutPath(session.id)
      const { card } = typed
      const page = authenticationPage({ action, back: action, card, amount, hidden: { card } })
      return sendStripePage(reply, page, [session.successUrl])
    }
    case 'declined':
      return sendSession(store, reply, currentSession(store, session.id), {
        ...typed,
        problem: outcome.message,
      })
  }
}

/** Completes a session for a caller without a browser. */
function finish(store: AccountStore, request: Request, reply: FastifyReply) {
  const session = currentSession(store, request.params.id)
  const { card = '4242424242424242' } = fieldsOf(request)
  if (session.status !== 'open') {
    const message = `This Checkout Session is ${session.status}.`
    return reply.code(409).send({ status: session.status, error: { code: 'session_not_open', message } })
  }
  const outcome = tryToPay(store, session, { card: digitsOf(card), authentication: 'passed' })
  if (outcome.kind === 'complete') {
    const { status, id, customerId: customer, subscriptionId: subscription } = outcome.session
    return reply.send({ status, url: successUrl(outcome.session), session: id, customer, subscription })
  }
  const error =
    outcome.kind === 'declined'
      ? { code: outcome.code, decline_code: outcome.declineCode, message: outcome.message }
      : { code: 'authentication_required', message: 'The card asks for authentication.' }
  return reply.code(402).send({ status: session.status, error })
}

function withPromotion(
  store: AccountStore,
  session: CheckoutSessionRecord,
  typedCode: string,
): [CheckoutSessionRecord, Typed] {
  const code = typedCode.trim()
  const found = findPromotionCode(store, code)
  const choice = { couponId: null, promotionCodeId: found?.id ?? null }
  const { subtotal: amount } = checkoutTotals(store, session)
  const { customerId, currency } = session
  const isGood =
    session.allowPromotionCodes &&
    found !== undefined &&
    isRedeemable(store, choice, { customerId, currency, amount })
  if (!isGood) {
    const problem = `The code ${code} is not valid.`
    return [session, { ...nothingTyped, promotion: { code, problem } }]
  }
  return [store.of('checkoutSession').put({ ...session, discount: choice }), nothingTyped]
}

/** Removes a typed code. A discount of the session itself stays. */
function withoutPromotion(store: AccountStore, session: CheckoutSessionRecord) {
  return session.allowPromotionCodes
    ? store.of('checkoutSession').put({ ...session, discount: null })
    : session
}
