import { finished } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'

/** Discards the rest of a rejected upload; otherwise the sender blocks and keeps the connection busy. */
export async function discardUpload({ raw }: FastifyRequest): Promise<void> {
  raw.unpipe().resume()
  // Aborted uploads are not our errors; slow ones end at the request timeout.
  if (!raw.readableEnded) await finished(raw, { writable: false }).catch(() => undefined)
}
