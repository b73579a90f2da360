import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { faultOf, invalid, type OnFailure } from '../protocol/errors.ts'

/** Answers what goes wrong in this scope in Stripe's form of an error. */
export function answerFaults(app: FastifyInstance, onFailure: OnFailure): void {
  app.setErrorHandler((error, _request, reply) => {
    const fault = error instanceof z.ZodError ? invalid(z.prettifyError(error)) : faultOf(error, onFailure)
    return reply.code(fault.status).send(fault.toWire())
  })
}
