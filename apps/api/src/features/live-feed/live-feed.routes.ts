import type { ServerResponse } from 'node:http'
import { paths } from '@tidings/contracts/paths'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { AppError } from '../../platform/errors.ts'
import type { LiveSocket, SocketHub } from './socket-hub.ts'

type Deps = { hub: SocketHub; origins: ReadonlySet<string> }

/** What the `ws` package's socket offers beside {@link LiveSocket}. */
type EventedSocket = LiveSocket & {
  on(event: 'message' | 'pong' | 'close' | 'error', listener: (this: EventedSocket) => void): unknown
  removeAllListeners(event: 'error'): unknown
}

const policyViolation = 1008

/** `/socket`: the live feed. Nothing is accepted from the reader's side. */
export function registerLiveFeedRoutes(app: App, { hub, origins }: Deps): void {
  // Shared by every socket: a listener for each would cost more memory than the socket's own state.
  function onMessage(this: EventedSocket): void {
    this.close(policyViolation, 'nothing is accepted here')
  }
  function onPong(this: EventedSocket): void {
    hub.heard(this)
  }
  function onClose(this: EventedSocket): void {
    hub.remove(this)
  }
  function onError(this: EventedSocket): void {
    hub.remove(this)
    this.terminate()
  }

  // By request, the plugin's reply to it, which is not handed to those who accept the socket.
  const replies = new WeakMap<FastifyRequest, ServerResponse>()

  function accept(socket: EventedSocket, request: FastifyRequest): void {
    // NOTE: these two keep the whole request and its reply alive for as long as the socket: half of its memory.
    socket.removeAllListeners('error')
    replies.get(request)?.detachSocket(request.raw.socket)
    socket.on('error', onError)
    socket.on('message', onMessage)
    socket.on('pong', onPong)
    socket.on('close', onClose)
    hub.add(socket)
  }

  app.route({
    method: 'GET',
    url: paths.socket,
    config: { access: 'gate' },
    schema: {
      tags: ['Live feed'],
      summary: 'WebSocket that sends NEW_MEMO events',
      description:
        'Each frame is JSON text: `{ "event": "NEW_MEMO", "data": { …memo, "date", "time_stamp" } }`. Whatever is sent to it ends the connection (1008).',
      response: { 101: z.void().describe('The live feed is open') },
    },
    preValidation: async (request, reply) => {
      checkOrigin(request, origins)
      replies.set(request, reply.raw)
    },
    handler: async (_request, reply) => {
      reply.header('Upgrade', 'websocket')
      throw new AppError('upgrade-required', 426, 'This address speaks WebSocket only.')
    },
    wsHandler: accept,
  })
}

/** A page of another site must not listen with a reader's cookie; a client that is no browser sends no Origin. */
function checkOrigin(request: FastifyRequest, origins: ReadonlySet<string>): void {
  const { origin } = request.headers
  if (origin !== undefined && !origins.has(origin)) {
    throw new AppError('origin-not-permitted', 403, 'Pages of this origin may not open the live feed.')
  }
}
