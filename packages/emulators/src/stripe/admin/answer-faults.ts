import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { apiErrorOf, invalid, type OnFailure } from '../protocol/errors.ts'

/** Answers what goes wrong in this scope in Stripe's form of an error. */
export function sendApiErrors(app: FastifyInstance, onFailure: OnFailure): void {
  app.setErrorHandler((error, _request, reply) => {
    const fault = error instanceof z.ZodError ? invalid(z.prettifyError(error)) : apiErrorOf(error, onFailure)
    return reply.code(fault.status).send(fault.toWire())
  })
}
