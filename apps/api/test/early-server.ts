import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

/**
 * The address of a site that is yet to be built: of one whose settings name it, or that others are to call. It listens from
 * the beginning, so that nobody else can take its port meanwhile.
 */
export type EarlyServer = {
  url: string
  /** Has the site answer the requests that come in. */
  routeTo(app: FastifyInstance): void
  /** Lets nobody in any more, and waits for the answers that are on their way. */
  close(): Promise<void>
}

/** Opens it on a free port of 127.0.0.1. */
export async function startEarlyServer(): Promise<EarlyServer> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const answers = new Set<Promise<unknown>>()
  return {
    url: `http://127.0.0.1:${port}`,
    routeTo: (app) =>
      void server.on('request', (request, reply) => {
        const answered = once(reply, 'close')
        answers.add(answered)
        void answered.then(() => answers.delete(answered))
        app.routing(request, reply)
      }),
    async close() {
      const closed = once(server.close(), 'close')
      await Promise.all(answers)
      // Their clients keep the connections for later.
      server.closeAllConnections()
      await closed
    },
  }
}
