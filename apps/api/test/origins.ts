import type { LightMyRequestResponse } from 'fastify'

/** Returns the CORS headers of a response. */
export function readableBy({ headers }: LightMyRequestResponse): {
  origin: string | undefined
  credentials: string | undefined
} {
  return {
    origin: headers['access-control-allow-origin'],
    credentials: text(headers['access-control-allow-credentials']),
  }
}

/** Returns the CORS headers that make a response readable from this origin, or from none. */
export function onlyBy(origin?: string): ReturnType<typeof readableBy> {
  return { origin, credentials: origin === undefined ? undefined : 'true' }
}

function text(header: number | string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header)
}
