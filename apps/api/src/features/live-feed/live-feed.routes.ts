import type { ServerResponse } from 'node:http'
import { channelSocketQuery } from '@tidings/contracts/comments'
import { paths } from '@tidings/contracts/paths'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { AppError } from '#platform/errors.ts'
import { type AdmissionDeps, createAdmission } from './admission.ts'
import type { LiveSocket, SocketHub, Subscription } from './socket-hub.ts'

type Deps = AdmissionDeps & { hub: SocketHub; socketsPerNetwork: number }

/** What the `ws` package's socket offers beside {@link LiveSocket}. */
type EventedSocket = LiveSocket & {
  on(event: 'message' | 'pong' | 'close' | 'error', listener: (this: EventedSocket) => void): unknown
  removeAllListeners(event: 'error'): unknown
}

const policyViolation = 1008

/** `/socket`: the live feed. Nothing is accepted from the reader's side. */
export function registerLiveFeedRoutes(app: App, { hub, socketsPerNetwork, ...deps }: Deps): void {
  const admit = createAdmission(deps)

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

  // By request, what it was admitted to and the plugin's reply to it: neither is handed to those who accept the socket.
  const admitted = new WeakMap<FastifyRequest, { subscription: Subscription; reply: ServerResponse }>()

  function accept(socket: EventedSocket, request: FastifyRequest): void {
    // NOTE: these two keep the whole request and its reply alive for as long as the socket: half of its memory.
    socket.removeAllListeners('error')
    const admission = admitted.get(request)
    admission?.reply.detachSocket(request.raw.socket)
    socket.on('error', onError)
    socket.on('message', onMessage)
    socket.on('pong', onPong)
    socket.on('close', onClose)
    hub.add(socket, admission?.subscription)
  }

  app.route({
    method: 'GET',
    url: paths.socket,
    // Who may listen to what depends on the pass and the page together.
    config: { access: 'public' },
    schema: {
      tags: ['Live feed'],
      summary: 'WebSocket that sends NEW_MEMO and TYPING events',
      description:
        'Each frame is JSON text: `{ "event": "NEW_MEMO", "data": { …memo, "date", "time_stamp" } }` needs the gate pass. With `channel`, `{ "event": "TYPING", "data": { "channelKey", "member" } }` comes whenever a member writes there, to pages of the app without a pass too; it comes to the page of that member as well. Whatever is sent to it ends the connection (1008).',
      querystring: channelSocketQuery,
      response: { 101: z.void().describe('The live feed is open') },
    },
    preValidation: async (request, reply) => {
      const subscription = await admit(request)
      if (hub.openOf(subscription.network) >= socketsPerNetwork) throw tooManySockets()
      admitted.set(request, { subscription, reply: reply.raw })
    },
    handler: async (_request, reply) => {
      reply.header('Upgrade', 'websocket')
      throw new AppError('upgrade-required', 426, 'This address speaks WebSocket only.')
    },
    wsHandler: accept,
  })
}

function tooManySockets(): AppError {
  const message = 'Your network has too many live feeds open. Please close some, or try again in a minute.'
  return new AppError('too-many-requests', 429, message, { headers: { 'Retry-After': '60' } })
}
