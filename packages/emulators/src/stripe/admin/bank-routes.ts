import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { OnFailure } from '../protocol/errors.ts'
import { toWireDispute, toWirePaymentIntent, toWireRefund } from '../resources/charge/charge.ts'
import { tryInvoice } from '../resources/invoice/pay-invoice.ts'
import { startProcessing } from '../resources/payment-intent/payment-intent.ts'
import { attachPaymentMethod, newPaymentMethod } from '../resources/payment-method/payment-method.ts'
import { closeDispute, failRefund, openDispute } from '../resources/refund/refund.ts'
import { settle } from '../resources/subscription/subscription-status.ts'
import type { World } from '../store/store.ts'
import { answerFaults } from './answer-faults.ts'

const opened = z.strictObject({
  charge: z.string(),
  amount: z.number().int().positive().optional(),
  reason: z.string().optional(),
  status: z.string().optional(),
})

const debited = z.strictObject({ status: z.enum(['processing', 'succeeded']) })

const closed = z.strictObject({ outcome: z.enum(['won', 'lost']) })

type Options = { world: World; onFailure: OnFailure }

/**
 * What a cardholder's bank does: `POST /stripe/disputes` with `{charge, amount?, reason?, status?}` disputes a charge
 * (`needs_response` unless a status is named); `POST /stripe/disputes/:id/close` with `{outcome: 'won' | 'lost'}` decides it.
 * `POST /stripe/refunds/:id/fail` sends a refund back. `POST /stripe/invoices/:id/debit` with
 * `{status: 'processing' | 'succeeded'}` pays an open invoice by a bank debit, which takes its time.
 */
export function addDisputeControls(app: FastifyInstance, { world, onFailure }: Options): void {
  app.register(async (bank) => {
    answerFaults(bank, onFailure)
    bank.post('/stripe/disputes', async ({ body }) => {
      const { charge, ...options } = opened.parse(body)
      return toWireDispute(world, openDispute(world, charge, options))
    })
    bank.post<{ Params: { id: string } }>('/stripe/disputes/:id/close', async ({ body, params: { id } }) =>
      toWireDispute(world, closeDispute(world, id, closed.parse(body).outcome)),
    )
    bank.post<{ Params: { id: string } }>('/stripe/refunds/:id/fail', async ({ params: { id } }) =>
      toWireRefund(world, failRefund(world, id)),
    )
    bank.post<{ Params: { id: string } }>('/stripe/invoices/:id/debit', async ({ body, params: { id } }) => {
      const invoice = world.of('invoice').get(id)
      const intentId = invoice.paymentIntentId ?? ''
      if (debited.parse(body).status === 'succeeded') {
        const card = attachPaymentMethod(
          world,
          newPaymentMethod(world, '4242424242424242').id,
          invoice.customerId,
        )
        tryInvoice(world, id, { paymentMethodId: card.id })
      } else {
        startProcessing(world, intentId)
        // Stripe doesn't wait for a debit to begin a subscription.
        settle(world, invoice)
      }
      return toWirePaymentIntent(world, world.of('paymentIntent').get(intentId))
    })
  })
}
