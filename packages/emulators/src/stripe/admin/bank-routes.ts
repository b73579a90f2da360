import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { OnFailure } from '../protocol/errors.ts'
import { toWireDispute, toWirePaymentIntent, toWireRefund } from '../resources/charge/charge.ts'
import { tryInvoice } from '../resources/invoice/pay-invoice.ts'
import { startProcessing } from '../resources/payment-intent/payment-intent.ts'
import { attachPaymentMethod, newPaymentMethod } from '../resources/payment-method/payment-method.ts'
import { closeDispute, failRefund, openDispute } from '../resources/refund/refund.ts'
import { applyPayment } from '../resources/subscription/subscription-status.ts'
import type { Store } from '../store/store.ts'
import { sendApiErrors } from './answer-faults.ts'

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
