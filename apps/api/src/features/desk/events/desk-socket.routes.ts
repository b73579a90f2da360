import { rolesByScope } from '@tidings/contracts/desk/desk'
import { deskSocket } from '@tidings/contracts/routes'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { LiveSocket } from '#features/live-feed/index.ts'
import type { App } from '#http/app-type.ts'
import type { Ids } from '#platform/ids.ts'
import { fail } from '../desk.errors.ts'
import { requireAccess } from '../requests/editor.ts'
import { editorOf } from '../requests/register-desk.ts'
import { toActor } from './announce.ts'
import type { DeskEvents } from './desk-events.service.ts'

type Deps = {
  deskEvents: DeskEvents
  ids: Ids
  origins: ReadonlySet<string>
  /** Returns whether the key or session of a request still gives access; doesn't count as its use. */
  hasDeskAccess: (request: FastifyRequest) => Promise<boolean>
}

type EventedSocket = LiveSocket & {
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown
  on(event: 'pong' | 'close' | 'error', listener: () => void): unknown
  removeAllListeners(event: 'error'): unknown
}

const socketsPerEditor = 20
const heartbeatMs = 25_000
const expiryMs = 5_000

const description =
  'Each frame is JSON text with a `type`: `presence` (`people` at the desk with their open `memos`), `saved` (`memo`, `edition`, `version`, `by`), `removed` (`memo`, `edition`, `by`), `article` (`article`, `version`, `by`), `edition` (`edition`, `status`, `version`, `by`), `delivery` (`edition` or `digest`, `state`, `sendAfter`, `counts`), `comment` (`comment`, `change`) and `comment-author` (`member`, `change`). Frames have ids and names only: read the rest. Send `{ "type": "presence", "memo": id | null }` every 10 seconds and when another memo is open; an editor without one for 30 seconds, or whose socket closes, is gone. Anything else closes the socket (1008), as the end of the key or session does. 1012 asks to reconnect and read again. A page needs the origin of the site.'

/** Registers the desk's socket. */
export function registerDeskSocket(app: App, { deskEvents, ids, origins, hasDeskAccess }: Deps): void {
  const { sockets } = deskEvents

  app.route({
    method: 'GET',
    url: deskSocket.path,
    config: { access: 'editor' },
    schema: {
      tags: ['Desk: events'],
      summary: 'WebSocket that sends what happens at the desk',
      description,
      response: { 101: z.void().describe('The socket is open') },
    },
    preValidation: async (request) => {
      const editor = editorOf(request)
      requireAccess(editor, { scope: 'read', roles: rolesByScope.read, path: deskSocket.path })
      const { origin } = request.headers
      const isOwnPage = origin !== undefined && origins.has(origin)
      // Scripts send no origin; browsers always do.
      if (!isOwnPage && !(origin === undefined && editor.kind === 'key')) throw fail('origin-not-permitted')
      if (sockets.countOf(toActor(editor)) >= socketsPerEditor) throw fail('too-many-requests')
    },
    handler: async (_request, reply) => {
      reply.header('Upgrade', 'websocket')
      throw fail('upgrade-required')
    },
    wsHandler: (socket: EventedSocket, request) => {
      socket.removeAllListeners('error')
      socket.on('error', () => socket.terminate())
      socket.on('message', (data, isBinary) => deskEvents.receive(socket, isBinary ? '' : String(data)))
      socket.on('pong', () => sockets.onPong(socket))
      socket.on('close', () => deskEvents.closed(socket))
      deskEvents.open(socket, {
        id: ids.uuid(),
        actor: toActor(editorOf(request)),
        memo: null,
        article: null,
        hasAccess: () => hasDeskAccess(request),
      })
    },
  })

  const timers = [
    setInterval(() => {
      sockets.pingAll()
      // Also finds a session that has expired.
      void deskEvents.checkAccess()
    }, heartbeatMs),
    setInterval(() => deskEvents.expire(), expiryMs),
  ]
  for (const timer of timers) timer.unref()
  app.addHook('onClose', async () => {
    for (const timer of timers) clearInterval(timer)
  })
}
