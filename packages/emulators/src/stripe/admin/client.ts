import { z } from 'zod'
import type { FaultInput } from '../server/faults.ts'
import type { WebhookState } from '../server/webhooks.ts'
import type { AccountChange, WebhookSettings } from './admin-routes.ts'

const outcomeSchema = z.looseObject({
  status: z.string(),
  /** Where a browser would be redirected. */
  url: z.string().nullish(),
  error: z.looseObject({ code: z.string().optional(), message: z.string().optional() }).optional(),
})

/** The result of a checkout. `status` is the session's. */
type CheckoutOutcome = z.infer<typeof outcomeSchema>

const webhookStateSchema = z.object({
  mode: z.enum(['on', 'off', 'hold']),
  pending: z.number(),
  total: z.number(),
})
const faultsSchema = z.object({ faults: z.array(z.unknown()) })
const disputeSchema = z.looseObject({ id: z.string(), status: z.string() })

export type StripeAdmin = {
  /** Pays on a checkout page, with 4242… unless a card is named. */
  completeCheckout(pageUrl: string, options?: { card?: string }): Promise<CheckoutOutcome>
  /** Makes the next calls fail, in the order of the faults. */
  addFault(fault: FaultInput): Promise<void>
  clearFaults(): Promise<void>
  /** Continues the calls that `slow` and `late` faults without a delay hold. */
  releaseCalls(): Promise<void>
  /** Returns how many faults no call has met yet. */
  countFaults(): Promise<number>
  /** Changes the delivery of events and returns its state. */
  setWebhooks(control: WebhookSettings): Promise<WebhookState>
  /** Returns how many deliveries of events there were, and how many the site has not accepted yet. */
  deliveries(): Promise<Pick<WebhookState, 'total' | 'pending'>>
  /** Delivers an event again. */
  resendEvent(id: string): Promise<void>
  /** Opens a dispute. `status` is `needs_response` by default; `warning_…` is an inquiry. */
  openDispute(charge: string, options?: { status?: string }): Promise<{ id: string; status: string }>
  closeDispute(id: string, outcome: 'won' | 'lost'): Promise<{ id: string; status: string }>
  /** Fails a refund that had succeeded, as a bank does. */
  failRefund(id: string): Promise<void>
  /** Pays an open invoice by bank debit. A `processing` one can't be voided. */
  debitInvoice(id: string, status: 'processing' | 'succeeded'): Promise<void>
  /** Registers a secret key. The part after `sk_test_` or `sk_live_` names the account. */
  addKey(secretKey: string): Promise<void>
  /** Sets the percentage of every automatic tax, 0 at first. */
  setTax(percent: number): Promise<void>
  /** Gives a customer a coupon, as the dashboard does; the API has no call for it. */
  discountCustomer(customerId: string, coupon: string): Promise<void>
  /** Changes what the dashboard sets of the account. */
  changeAccount(change: AccountChange): Promise<void>
  /** Moves the time of objects without a test clock and runs what is due. */
  advanceTime(seconds: number): Promise<void>
}

/** Returns a client of the emulator's admin API at an origin. Its calls reject on an error response. */
export function stripeAdmin(url: string): StripeAdmin {
  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const reply = await fetch(new URL(path, url), {
      method,
      ...(body === undefined ? {} : { headers: json, body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (reply.ok) return JSON.parse(text)
    throw new Error(`The Stripe emulator rejected ${method} ${path}: ${reply.status} ${text}`)
  }

  return {
    completeCheckout: (pageUrl, options = {}) => finish(pageUrl, 'complete', options),
    async addFault(fault) {
      await call('POST', '/stripe/faults', fault)
    },
    async clearFaults() {
      await call('DELETE', '/stripe/faults')
    },
    async releaseCalls() {
      await call('DELETE', '/stripe/faults/held')
    },
    async countFaults() {
      return faultsSchema.parse(await call('GET', '/stripe/faults')).faults.length
    },
    async setWebhooks(control) {
      return webhookStateSchema.parse(await call('POST', '/stripe/webhooks', control))
    },
    async deliveries() {
      return webhookStateSchema.parse(await call('GET', '/stripe/webhooks'))
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
    async setTax(percent) {
      await call('POST', '/stripe/tax', { percent })
    },
    async discountCustomer(customerId, coupon) {
      await call('POST', `/stripe/customers/${customerId}/discount`, { coupon })
    },
    async changeAccount(change) {
      await call('POST', '/stripe/account', change)
    },
    async advanceTime(advanceSeconds) {
      await call('POST', '/stripe/time', { advanceSeconds })
    },
  }
}

const json = { 'content-type': 'application/json', accept: 'application/json' }

/** A declined card is a result, not an error. */
async function finish(pageUrl: string, how: string, options: { card?: string }): Promise<CheckoutOutcome> {
  const reply = await fetch(`${pageUrl}/${how}`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(options),
  })
  return outcomeSchema.parse(JSON.parse(await reply.text()))
}
