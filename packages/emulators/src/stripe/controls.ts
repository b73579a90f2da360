import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { runDue } from './billing/advance.ts'
import { expireSessions } from './checkout/expire.ts'
import type { KeptWorld } from './create-world.ts'
import { StripeFault } from './errors.ts'
import { type Faults, faultSchema } from './faults.ts'
import type { Webhooks } from './webhooks.ts'

const chance = z.number().min(0).max(1)

/** What can be said to the webhooks; what is left out stays. */
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
  /** Tries at once whatever waits for its next try. */
  retryNow: z.boolean().default(false),
})

export type WebhookControl = z.input<typeof webhookControlSchema>

const timeSchema = z.strictObject({ advanceSeconds: z.number().int().min(0) })

type Options = { world: KeptWorld; webhooks: Webhooks; faults: Faults }

/** Everything that is due by now on the wall's time. */
export function catchUp(world: KeptWorld): void {
  runDue(world, null, world.now())
  expireSessions(world)
}

/**
 * What Stripe has no call for, in JSON under `/stripe`, for tests and for trying things out: `POST /stripe/faults`,
 * `/stripe/time`, `/stripe/webhooks` and `/stripe/events/:id/resend`.
 */
export function addControls(app: FastifyInstance, { world, webhooks, faults }: Options): void {
  app.register(async (controls) => {
    controls.setErrorHandler((error, _request, reply) => refuse(error, reply))

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
    controls.get('/stripe/time', () => ({ now: world.now() }))

    controls.post('/stripe/webhooks', (request) => {
      const { mode, chaos, retryNow } = webhookControlSchema.parse(request.body)
      if (chaos) webhooks.setChaos(chaos)
      if (mode) webhooks.setMode(mode)
      if (retryNow) webhooks.retryNow()
      return webhooks.state()
    })
    controls.get('/stripe/webhooks', () => webhooks.state())

    controls.post('/stripe/events/:id/resend', (request: FastifyRequest<{ Params: { id: string } }>) => {
      webhooks.resend(request.params.id)
      return webhooks.state()
    })
  })
}

/** Answers in Stripe's form of an error. */
export function refuse(error: unknown, reply: FastifyReply): FastifyReply {
  const fault = error instanceof StripeFault ? error : faultFrom(error)
  return reply.code(fault.status).send(fault.toWire())
}

function faultFrom(error: unknown): StripeFault {
  if (error instanceof z.ZodError) return new StripeFault('invalid_request_error', z.prettifyError(error))
  const message = error instanceof Error ? error.message : String(error)
  const isRequest = error instanceof Error && 'statusCode' in error && error.statusCode !== 500
  return new StripeFault(isRequest ? 'invalid_request_error' : 'api_error', message, {
    status: isRequest ? 400 : 500,
  })
}
