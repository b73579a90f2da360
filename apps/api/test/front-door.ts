import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

/**
 * The address of a site that is yet to be built: of one whose settings name it, or that others are to call. It listens from
 * the beginning, so that nobody else can take its port meanwhile.
 */
export type FrontDoor = {
  url: string
  /** Has the site answer the requests that come in. */
  leadTo(app: FastifyInstance): void
  close(): Promise<void>
}

/** Opens it on a free port of 127.0.0.1. */
export async function openFrontDoor(): Promise<FrontDoor> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo: (app) => void server.on('request', (request, reply) => app.routing(request, reply)),
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
