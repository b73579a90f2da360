import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { apiErrorOf, invalid, type OnFailure } from '../protocol/errors.ts'
import { expireSessions } from '../resources/checkout-session/checkout-session.ts'
import { closeDispute, openDispute, toWireDispute } from '../resources/dispute/dispute.ts'
import { tryInvoice } from '../resources/invoice/pay-invoice.ts'
import { startProcessing, toWirePaymentIntent } from '../resources/payment-intent/payment-intent.ts'
import { attachPaymentMethod, newPaymentMethod } from '../resources/payment-method/payment-method.ts'
import { failRefund } from '../resources/refund/refund.endpoints.ts'
import { toWireRefund } from '../resources/refund/refund.ts'
import { applyPayment } from '../resources/subscription/subscription-status.ts'
import { runDue } from '../resources/test-clock/due.ts'
import { type Faults, faultSchema } from '../server/faults.ts'
import type { Webhooks } from '../server/webhooks.ts'
import type { Accounts } from '../store/accounts.ts'
import type { AccountStore } from '../store/create-store.ts'
import type { Store } from '../store/store.ts'

const chance = z.number().min(0).max(1)

/** What can be said to the webhooks; what is left out stays, but of `chaos` what is left out is 0. */
export const webhookSettingsSchema = z.strictObject({
  mode: z.enum(['on', 'off', 'hold']).optional(),
  chaos: z
    .strictObject({
      loss: chance.default(0),
      duplication: chance.default(0),
      reordering: chance.default(0),
      seed: z.number().int().default(1),
    })
    .optional(),
})

export type WebhookSettings = z.input<typeof webhookSettingsSchema>

const timeSchema = z.strictObject({ advanceSeconds: z.number().int().min(0) })
const keySchema = z.strictObject({ secretKey: z.string() })

type Options = {
  store: AccountStore
  accounts: Accounts
  webhooks: Webhooks
  faults: Faults
  onFailure: OnFailure
}

/** Does everything that is due by now on the wall's time. Throws with nothing of it done when some of it cannot be. */
export function catchUp(store: AccountStore): void {
  store.transact(() => {
    runDue(store, null, store.now())
    expireSessions(store)
  })
}

/**
 * What Stripe has no call for, in JSON under `/stripe`, for tests and for trying things out: `POST /stripe/faults`,
 * `/stripe/time`, `/stripe/webhooks`, `/stripe/keys` and `/stripe/events/:id/resend`.
 */
export function addAdminRoutes(
  app: FastifyInstance,
  { store, accounts, webhooks, faults, onFailure }: Options,
): void {
  app.register(async (admin) => {
    sendApiErrors(admin, onFailure)

    admin.post('/stripe/faults', (request) => {
      faults.add(faultSchema.parse(request.body))
      return { faults: faults.list() }
    })
    admin.get('/stripe/faults', () => ({ faults: faults.list() }))
    admin.delete('/stripe/faults', () => {
      faults.clear()
      return { faults: [] }
    })

    admin.post('/stripe/time', (request) => {
      store.advance(timeSchema.parse(request.body).advanceSeconds)
      catchUp(store)
      return { now: store.now() }
    })

    admin.post('/stripe/webhooks', (request) => {
      const { mode, chaos } = webhookSettingsSchema.parse(request.body)
      if (chaos) webhooks.setChaos(chaos)
      if (mode) webhooks.setMode(mode)
      return webhooks.state()
    })
    admin.get('/stripe/webhooks', () => webhooks.state())

    admin.post('/stripe/keys', (request) => {
      accounts.add(keySchema.parse(request.body).secretKey)
      return {}
    })

    admin.post('/stripe/events/:id/resend', (request: FastifyRequest<{ Params: { id: string } }>) => {
      webhooks.resend(request.params.id)
      return webhooks.state()
    })
  })
}

const opened = z.strictObject({
  charge: z.string(),
  amount: z.number().int().positive().optional(),
  reason: z.string().optional(),
  status: z.string().optional(),
})

const debited = z.strictObject({ status: z.enum(['processing', 'succeeded']) })
const closed = z.strictObject({ outcome: z.enum(['won', 'lost']) })

type BankOptions = { store: Store; onFailure: OnFailure }

/**
 * What a cardholder's bank does: `POST /stripe/disputes` with `{charge, amount?, reason?, status?}` disputes a charge
 * (`needs_response` unless a status is named); `POST /stripe/disputes/:id/close` with `{outcome: 'won' | 'lost'}` decides it.
 * `POST /stripe/refunds/:id/fail` sends a refund back. `POST /stripe/invoices/:id/debit` with
 * `{status: 'processing' | 'succeeded'}` pays an open invoice by a bank debit, which takes its time.
 */
export function addBankRoutes(app: FastifyInstance, { store, onFailure }: BankOptions): void {
  app.register(async (bank) => {
    sendApiErrors(bank, onFailure)
    bank.post('/stripe/disputes', async ({ body }) => {
      const { charge, ...options } = opened.parse(body)
      return toWireDispute(store, openDispute(store, charge, options))
    })
    bank.post<{ Params: { id: string } }>('/stripe/disputes/:id/close', async ({ body, params: { id } }) =>
      toWireDispute(store, closeDispute(store, id, closed.parse(body).outcome)),
    )
    bank.post<{ Params: { id: string } }>('/stripe/refunds/:id/fail', async ({ params: { id } }) =>
      toWireRefund(store, failRefund(store, id)),
    )
    bank.post<{ Params: { id: string } }>('/stripe/invoices/:id/debit', async ({ body, params: { id } }) => {
      const invoice = store.of('invoice').get(id)
      const intentId = invoice.paymentIntentId ?? ''
      if (debited.parse(body).status === 'succeeded') {
        const card = attachPaymentMethod(
          store,
          newPaymentMethod(store, '4242424242424242').id,
          invoice.customerId,
        )
        tryInvoice(store, id, { paymentMethodId: card.id })
      } else {
        startProcessing(store, intentId)
        // Stripe doesn't wait for a debit to begin a subscription.
        applyPayment(store, invoice)
      }
      return toWirePaymentIntent(store, store.of('paymentIntent').get(intentId))
    })
  })
}

/** Answers what goes wrong in this scope in Stripe's form of an error. */
export function sendApiErrors(app: FastifyInstance, onFailure: OnFailure): void {
  app.setErrorHandler((error, _request, reply) => {
    const fault = error instanceof z.ZodError ? invalid(z.prettifyError(error)) : apiErrorOf(error, onFailure)
    return reply.code(fault.status).send(fault.toWire())
  })
}
