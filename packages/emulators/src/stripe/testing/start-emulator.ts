import fastify, { type FastifyInstance } from 'fastify'
import Stripe from 'stripe'
import { addStripe, type StripeOptions } from '../stripe.ts'

export type Emulator = {
  /** Stripe's SDK for the emulator, without retries. */
  stripe: Stripe
  url: string
  /** Throws the unexpected errors of the emulator. */
  stop(): Promise<void>
}

export const testNow = () => new Date('2026-11-20T18:00:00Z')

/** Starts the emulator over HTTP on a free port. */
export async function startEmulator(options: Partial<StripeOptions> = {}): Promise<Emulator> {
  const { app, stop } = createEmulator(options)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { stripe: stripeAt(url), url, stop }
}

/** Creates an emulator that listens nowhere. `stop` throws its unexpected errors. */
export function createEmulator(options: Partial<StripeOptions> = {}): {
  app: FastifyInstance
  stop(): Promise<void>
} {
  const app = fastify({ forceCloseConnections: true })
  const failures: unknown[] = []
  addStripe(app, { now: testNow, onFailure: (error) => failures.push(error), ...options })
  return {
    app,
    async stop() {
      await app.close()
      if (failures.length > 0) throw new AggregateError(failures, 'The Stripe emulator failed.')
    },
  }
}

/** Returns Stripe's SDK for an emulator. */
export function stripeAt(url: string, key = 'sk_test_tidings_local'): Stripe {
  const { hostname: host, port } = new URL(url)
  return new Stripe(key, {
    host,
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: 5_000,
  })
}

/** Returns the error of a call that must be rejected. */
export async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Stripe.errors.StripeError) return error
  throw new Error('It was not refused.')
}
