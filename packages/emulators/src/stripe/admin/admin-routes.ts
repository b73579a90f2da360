import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { apiErrorOf, invalid, type OnFailure } from '../protocol/errors.ts'
import { changeAccountSettings } from '../resources/account/account.ts'
import { tryInvoice } from '../resources/billing/pay-invoice.ts'
import { applyPayment } from '../resources/billing/subscription-status.ts'
import { expireSessions } from '../resources/checkout/checkout-session.ts'
import { requireCustomer, toWireCustomer } from '../resources/customers/customer.ts'
import { discountCustomer } from '../resources/customers/customer-discount.ts'
import { attachPaymentMethod, newPaymentMethod } from '../resources/customers/payment-method.ts'
import { closeDispute, openDispute, toWireDispute } from '../resources/payments/dispute.ts'
import { startProcessing, toWirePaymentIntent } from '../resources/payments/payment-intent.ts'
import { failRefund } from '../resources/payments/refund.endpoints.ts'
import { toWireRefund } from '../resources/payments/refund.ts'
import { runDue } from '../resources/test-clocks/due.ts'
import { type Faults, faultSchema } from '../server/faults.ts'
import type { Webhooks } from '../server/webhooks.ts'
import type { Accounts } from '../store/accounts.ts'
import type { AccountStore } from '../store/create-store.ts'

const probability = z.number().min(0).max(1)

/** Webhook settings. Omitted settings stay, but omitted values of `chaos` become 0. */
const webhookSettingsSchema = z.strictObject({
  mode: z.enum(['on', 'off', 'hold']).optional(),
  chaos: z
    .strictObject({
      loss: probability.default(0),
      duplication: probability.default(0),
      reordering: probability.default(0),
      seed: z.number().int().default(1),
    })
    .optional(),
})

export type WebhookSettings = z.input<typeof webhookSettingsSchema>

const timeSchema = z.strictObject({ advanceSeconds: z.number().int().min(0) })
const taxSchema = z.strictObject({ percent: z.number().min(0).max(100) })
const discountedSchema = z.strictObject({ coupon: z.string() })
const keySchema = z.strictObject({ secretKey: z.string() })

/** Omitted settings stay. */
const accountSchema = z.strictObject({
  hostedPaymentMethodSave: z.enum(['always', 'never', 'offer']).optional(),
  tax: z
    .strictObject({ missingFields: z.array(z.string()), registeredCountries: z.array(z.string()) })
    .optional(),
  webhookEndpoints: z
    .array(
      z.strictObject({
        url: z.url(),
        enabledEvents: z.array(z.string()),
        apiVersion: z.string().nullable(),
        status: z.enum(['enabled', 'disabled']),
      }),
    )
    .optional(),
})

export type AccountChange = z.input<typeof accountSchema>

type Options = {
  store: AccountStore
  accounts: Accounts
  webhooks: Webhooks
  faults: Faults
  onFailure: OnFailure
}

/** Runs everything that is due on the wall clock, or nothing of it when a part fails. */
export function catchUp(store: AccountStore): void {
  store.transact(() => {
    runDue(store, null, store.now())
    expireSessions(store)
  })
}

/**
 * Serves what Stripe has no call for, as JSON: faults, time, webhooks, keys, and what the cardholder's bank does with
 * disputes, refunds and debits; the rate of taxes, and coupons of customers, which only the dashboard applies.
 */
export function addAdminRoutes(
  app: FastifyInstance,
  { store, accounts, webhooks, faults, onFailure }: Options,
): void {
  app.register(async (admin) => {
    admin.setErrorHandler((error, _request, reply) => {
      const fault =
        error instanceof z.ZodError ? invalid(z.prettifyError(error)) : apiErrorOf(error, onFailure)
      return reply.code(fault.status).send(fault.toWire())
    })

    admin.post('/stripe/faults', (request) => {
      faults.add(faultSchema.parse(request.body))
      return { faults: faults.list() }
    })
    admin.get('/stripe/faults', () => ({ faults: faults.list() }))
    admin.delete('/stripe/faults/held', () => {
      faults.release()
      return { faults: faults.list() }
    })
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

    admin.post('/stripe/tax', (request) => {
      const { percent } = taxSchema.parse(request.body)
      store.setSetting('tax-percent', percent)
      return { percent }
    })
    admin.post<{ Params: { id: string } }>('/stripe/customers/:id/discount', ({ body, params: { id } }) => {
      const { coupon } = discountedSchema.parse(body)
      return toWireCustomer(store, discountCustomer(store, requireCustomer(store, id), coupon))
    })

    admin.post('/stripe/keys', (request) => {
      accounts.add(keySchema.parse(request.body).secretKey)
      return {}
    })

    admin.post('/stripe/account', async ({ body }) => changeAccountSettings(store, accountSchema.parse(body)))

    admin.post('/stripe/events/:id/resend', (request: FastifyRequest<{ Params: { id: string } }>) => {
      webhooks.resend(request.params.id)
      return webhooks.state()
    })

    admin.post('/stripe/disputes', async ({ body }) => {
      const { charge, ...options } = opened.parse(body)
      return toWireDispute(store, openDispute(store, charge, options))
    })
    admin.post<{ Params: { id: string } }>('/stripe/disputes/:id/close', async ({ body, params: { id } }) =>
      toWireDispute(store, closeDispute(store, id, closed.parse(body).outcome)),
    )
    admin.post<{ Params: { id: string } }>('/stripe/refunds/:id/fail', async ({ params: { id } }) =>
      toWireRefund(store, failRefund(store, id)),
    )
    admin.post<{ Params: { id: string } }>('/stripe/invoices/:id/debit', async ({ body, params: { id } }) => {
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
        // Stripe starts a subscription before the debit has succeeded.
        applyPayment(store, invoice)
      }
      return toWirePaymentIntent(store, store.of('paymentIntent').get(intentId))
    })
  })
}

const opened = z.strictObject({
  charge: z.string(),
  status: z.string().optional(),
})

const debited = z.strictObject({ status: z.enum(['processing', 'succeeded']) })
const closed = z.strictObject({ outcome: z.enum(['won', 'lost']) })
