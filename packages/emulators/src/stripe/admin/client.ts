import { z } from 'zod'
import type { FaultInput } from '../server/faults.ts'
import type { WebhookSettings } from './admin-routes.ts'

const outcomeSchema = z.looseObject({
  status: z.string(),
  /** Where a browser would be sent. */
  url: z.string().nullish(),
  error: z.looseObject({ code: z.string().optional(), message: z.string().optional() }).optional(),
})

/** How a checkout session went on; `status` is the session's. */
export type CheckoutOutcome = z.infer<typeof outcomeSchema>

const webhookStateSchema = z.looseObject({ mode: z.enum(['on', 'off', 'hold']), pending: z.number() })
const disputeSchema = z.looseObject({ id: z.string(), status: z.string() })

export type StripeAdmin = {
  /** Pays on a checkout page, with another card than 4242… when one is named. */
  completeCheckout(pageUrl: string, options?: { card?: string }): Promise<CheckoutOutcome>
  /** Tries to pay with a card that is declined; the session stays open. */
  declineCheckout(pageUrl: string, options?: { card?: string }): Promise<CheckoutOutcome>
  /** Makes the next calls go wrong; the first that was asked for comes first. */
  addFault(fault: FaultInput): Promise<void>
  clearFaults(): Promise<void>
  /** Changes how events are delivered, and tells how many wait. */
  setWebhooks(control: WebhookSettings): Promise<{ mode: 'on' | 'off' | 'hold'; pending: number }>
  /** How many deliveries the site has not accepted yet. */
  pendingDeliveries(): Promise<number>
  /** Delivers an event once more. */
  resendEvent(id: string): Promise<void>
  /** `needs_response` unless another of Stripe's statuses is named; `warning_…` is an inquiry. */
  openDispute(charge: string, options?: { status?: string }): Promise<{ id: string; status: string }>
  closeDispute(id: string, outcome: 'won' | 'lost'): Promise<{ id: string; status: string }>
  /** A bank sends a refund back that had succeeded. */
  failRefund(id: string): Promise<void>
  /** Pays an open invoice by a bank debit. One that is `processing` can't be voided. */
  debitInvoice(id: string, status: 'processing' | 'succeeded'): Promise<void>
  /** Makes another secret key known: what follows its `sk_test_` or `sk_live_` names the account. */
  addKey(secretKey: string): Promise<void>
  /** Moves the time of whatever hangs on no test clock, and does what falls due. */
  advanceTime(seconds: number): Promise<void>
}

/** The stand-in's own admin, for tests and scripts; `url` is its origin. Every call rejects when it is refused. */
export function stripeAdmin(url: string): StripeAdmin {
  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const reply = await fetch(new URL(path, url), {
      method,
      ...(body === undefined ? {} : { headers: json, body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (reply.ok) return JSON.parse(text)
    throw new Error(`The stand-in for Stripe refused ${method} ${path}: ${reply.status} ${text}`)
  }

  return {
    completeCheckout: (pageUrl, options = {}) => finish(pageUrl, 'complete', options),
    declineCheckout: (pageUrl, options = {}) => finish(pageUrl, 'decline', options),
    async addFault(fault) {
      await call('POST', '/stripe/faults', fault)
    },
    async clearFaults() {
      await call('DELETE', '/stripe/faults')
    },
    async setWebhooks(control) {
      return webhookStateSchema.parse(await call('POST', '/stripe/webhooks', control))
    },
    async pendingDeliveries() {
      return webhookStateSchema.parse(await call('GET', '/stripe/webhooks')).pending
    },
    async resendEvent(id) {
      await call('POST', `/stripe/events/${id}/resend`, {})
    },
    async openDispute(charge, options) {
      return disputeSchema.parse(await call('POST', '/stripe/disputes', { charge, ...options }))
    },
    async closeDispute(id, outcome) {
      return disputeSchema.parse(await call('POST', `/stripe/disputes/${id}/close`, { outcome }))
    },
    async addKey(secretKey) {
      await call('POST', '/stripe/keys', { secretKey })
    },
    async failRefund(id) {
      await call('POST', `/stripe/refunds/${id}/fail`, {})
    },
    async debitInvoice(id, status) {
      await call('POST', `/stripe/invoices/${id}/debit`, { status })
    },
    async advanceTime(advanceSeconds) {
      await call('POST', '/stripe/time', { advanceSeconds })
    },
  }
}

const json = { 'content-type': 'application/json', accept: 'application/json' }

/** A refused card is an outcome like any other here. */
async function finish(pageUrl: string, how: string, options: { card?: string }): Promise<CheckoutOutcome> {
  const reply = await fetch(`${pageUrl}/${how}`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(options),
  })
  return outcomeSchema.parse(JSON.parse(await reply.text()))
}
