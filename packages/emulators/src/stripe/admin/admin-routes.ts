import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { OnFailure } from '../protocol/errors.ts'
import { expireSessions } from '../resources/checkout-session/expire.ts'
import { runDue } from '../resources/test-clock/due.ts'
import { type Faults, faultSchema } from '../server/faults.ts'
import type { Webhooks } from '../server/webhooks.ts'
import type { Accounts } from '../store/accounts.ts'
import type { AccountStore } from '../store/create-store.ts'
import { sendApiErrors } from './answer-faults.ts'

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
