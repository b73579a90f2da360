import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { OnFailure } from '../protocol/errors.ts'
import { expireSessions } from '../resources/checkout-session/expire.ts'
import { runDue } from '../resources/test-clock/due.ts'
import { type Faults, faultSchema } from '../server/faults.ts'
import type { Webhooks } from '../server/webhooks.ts'
import type { Accounts } from '../store/accounts.ts'
import { asOne } from '../store/as-one.ts'
import type { KeptWorld } from '../store/create-store.ts'
import { answerFaults } from './answer-faults.ts'

const chance = z.number().min(0).max(1)

/** What can be said to the webhooks; what is left out stays, but of `chaos` what is left out is 0. */
export const webhookControlSchema = z.strictObject({
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

export type WebhookControl = z.input<typeof webhookControlSchema>

const timeSchema = z.strictObject({ advanceSeconds: z.number().int().min(0) })

const keySchema = z.strictObject({ secretKey: z.string() })

type Options = {
  world: KeptWorld
  accounts: Accounts
  webhooks: Webhooks
  faults: Faults
  onFailure: OnFailure
}

/** Does everything that is due by now on the wall's time. Throws with nothing of it done when some of it cannot be. */
export function catchUp(world: KeptWorld): void {
  asOne(world, () => {
    runDue(world, null, world.now())
    expireSessions(world)
  })
}

/**
 * What Stripe has no call for, in JSON under `/stripe`, for tests and for trying things out: `POST /stripe/faults`,
 * `/stripe/time`, `/stripe/webhooks`, `/stripe/keys` and `/stripe/events/:id/resend`.
 */
export function addControls(
  app: FastifyInstance,
  { world, accounts, webhooks, faults, onFailure }: Options,
): void {
  app.register(async (controls) => {
    answerFaults(controls, onFailure)

    controls.post('/stripe/faults', (request) => {
      faults.add(faultSchema.parse(request.body))
      return { faults: faults.list() }
    })
    controls.get('/stripe/faults', () => ({ faults: faults.list() }))
    controls.delete('/stripe/faults', () => {
      faults.clear()
      return { faults: [] }
    })

    controls.post('/stripe/time', (request) => {
      world.advance(timeSchema.parse(request.body).advanceSeconds)
      catchUp(world)
      return { now: world.now() }
    })

    controls.post('/stripe/webhooks', (request) => {
      const { mode, chaos } = webhookControlSchema.parse(request.body)
      if (chaos) webhooks.setChaos(chaos)
      if (mode) webhooks.setMode(mode)
      return webhooks.state()
    })
    controls.get('/stripe/webhooks', () => webhooks.state())

    controls.post('/stripe/keys', (request) => {
      accounts.add(keySchema.parse(request.body).secretKey)
      return {}
    })

    controls.post('/stripe/events/:id/resend', (request: FastifyRequest<{ Params: { id: string } }>) => {
      webhooks.resend(request.params.id)
      return webhooks.state()
    })
  })
}
