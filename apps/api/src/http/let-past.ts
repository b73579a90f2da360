import { finished } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'

/**
 * Lets past what still comes of an upload that is refused before it was read. A sender who is not read waits, and an
 * answer that overtakes the body leaves a connection that a server which is to close takes for a busy one.
 */
export async function letPast({ raw }: FastifyRequest): Promise<void> {
  raw.unpipe().resume()
  // A sender who breaks off is no failure of ours; one who is slow is ended by the server's own limit.
  if (!raw.readableEnded) await finished(raw, { writable: false }).catch(() => undefined)
}
