import type { ServerResponse } from 'node:http'
import { channelSocketQuery } from '@tidings/contracts/membership/comments'
import { liveFeed } from '@tidings/contracts/routes'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { type AuthorizationDeps, createSocketAuthorization } from './authorize-socket.ts'
import { fail } from './live-feed.errors.ts'
import { type LiveSocket, policyViolation, type Subscribers, type Subscription } from './subscribers.ts'

type Deps = AuthorizationDeps & { subscribers: Subscribers; socketsPerNetwork: number }

type EventedSocket = LiveSocket & {
  on(event: 'message' | 'pong' | 'close' | 'error', listener: (this: EventedSocket) => void): unknown
  removeAllListeners(event: 'error'): unknown
}

const description = `Each frame is JSON text. \`{ "event": "NEW_MEMO", "data": { …memo, "date", "time_stamp", "position" } }\` needs the gate pass, as \`MEMO_CHANGED\` (same data, a correction) and \`MEMO_WITHDRAWN\` (\`_id\`, \`date\`, \`time_stamp\`) do. With \`channel\`, the socket also receives \`{ "event": "TYPING", "data": { "channelKey", "member" } }\` while a member types there, their own events included; pages of the app need no pass for it. An article's channel needs the pass and the member's token, sent as the subprotocol \`bearer.TOKEN\` after \`tidings\`; the socket is closed (1008) when that access has ended. A message from the client closes the connection (1008).`

/** Registers the live feed at `/socket`, which accepts no messages from clients. */
export function registerLiveFeedRoutes(app: App, { subscribers, socketsPerNetwork, ...deps }: Deps): void {
  const authorize = createSocketAuthorization(deps)

  // Shared by all sockets: separate listeners would take more memory than the socket's own state.
  function onMessage(this: EventedSocket): void {
    this.close(policyViolation, 'nothing is accepted here')
  }
  function onPong(this: EventedSocket): void {
    subscribers.onPong(this)
  }
  function onClose(this: EventedSocket): void {
    subscribers.remove(this)
  }
  function onError(this: EventedSocket): void {
    subscribers.remove(this)
    this.terminate()
  }

  // The WebSocket handler receives neither the subscription nor the plugin's response.
  const authorized = new WeakMap<FastifyRequest, { subscription: Subscription; response: ServerResponse }>()

  app.route({
    method: 'GET',
    url: liveFeed.path,
    // `authorize` checks the gate pass and the origin together.
    config: { access: 'public' },
    schema: {
      tags: ['Live feed'],
      summary: 'WebSocket that sends new, changed and withdrawn memos, and TYPING events',
      description,
      querystring: channelSocketQuery,
      response: { 101: z.void().describe('The live feed is open') },
    },
    preValidation: async (request, reply) => {
      const subscription = await authorize(request)
      if (subscribers.isFull(subscription.address, socketsPerNetwork)) throw fail('too-many-requests')
      authorized.set(request, { subscription, response: reply.raw })
    },
    handler: async (_request, reply) => {
      reply.header('Upgrade', 'websocket')
      throw fail('upgrade-required')
    },
    wsHandler: (socket: EventedSocket, request) => {
      // NOTE: the plugin's error listener and response would keep the request in memory while the socket is open.
      socket.removeAllListeners('error')
      const accepted = authorized.get(request)
      accepted?.response.detachSocket(request.raw.socket)
      socket.on('error', onError)
      socket.on('message', onMessage)
      socket.on('pong', onPong)
      socket.on('close', onClose)
      subscribers.add(socket, accepted?.subscription)
    },
  })
}
