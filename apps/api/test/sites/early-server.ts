import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

/** A server that listens before its app exists, because the app's settings or emulators need its URL. */
export type EarlyServer = {
  url: string
  /** Routes all requests to the app from now on. Without one, connections are dropped. */
  routeTo(app: FastifyInstance | null): void
  /** Stops accepting requests and waits for the pending responses. */
  close(): Promise<void>
}

/** Listens on a free port of 127.0.0.1. */
export async function startEarlyServer(): Promise<EarlyServer> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const pending = new Set<Promise<unknown>>()
  let routed: FastifyInstance | null = null
  server.on('request', (request, reply) => {
    const response = once(reply, 'close')
    pending.add(response)
    void response.then(() => pending.delete(response))
    if (routed === null) request.socket.destroy()
    else routed.routing(request, reply)
  })
  return {
    url: `http://127.0.0.1:${port}`,
    routeTo(app) {
      routed = app
    },
    async close() {
      const closed = once(server.close(), 'close')
      await Promise.all(pending)
      // Clients keep idle connections open.
      server.closeAllConnections()
      await closed
    },
  }
}
