import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { closeDispute, openDispute } from '../billing/refunds/refunds.ts'
import type { OnFailure } from '../protocol/errors.ts'
import { toWireDispute } from '../wire/payment.ts'
import type { World } from '../world/world.ts'
import { answerFaults } from './answer-faults.ts'

const opened = z.strictObject({
  charge: z.string(),
  amount: z.number().int().positive().optional(),
  reason: z.string().optional(),
  status: z.string().optional(),
})

const closed = z.strictObject({ outcome: z.enum(['won', 'lost']) })

type Options = { world: World; onFailure: OnFailure }

/**
 * What a cardholder's bank does: `POST /stripe/disputes` with `{charge, amount?, reason?, status?}` disputes a charge
 * (`needs_response` unless a status is named); `POST /stripe/disputes/:id/close` with `{outcome: 'won' | 'lost'}` decides it. Both answer the
 * dispute.
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
  })
}
