import type { LightMyRequestResponse } from 'fastify'

/** What a browser is told about who may read an answer. */
export function readableBy({ headers }: LightMyRequestResponse): {
  origin: string | undefined
  credentials: string | undefined
} {
  return {
    origin: headers['access-control-allow-origin'],
    credentials: text(headers['access-control-allow-credentials']),
  }
}

/** What a page of this origin must be told so that it may read an answer; without one, what nobody may read. */
export function onlyBy(origin?: string): ReturnType<typeof readableBy> {
  return { origin, credentials: origin === undefined ? undefined : 'true' }
}

function text(header: number | string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header)
}
