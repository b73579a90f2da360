import { finished } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'

/**
 * Discards the rest of an upload that is rejected before it was read. Otherwise the sender blocks, and the connection
 * counts as busy when the server closes.
 */
export async function discardUpload({ raw }: FastifyRequest): Promise<void> {
  raw.unpipe().resume()
  // Aborted uploads are not our errors; slow ones end at the request timeout.
  if (!raw.readableEnded) await finished(raw, { writable: false }).catch(() => undefined)
}
