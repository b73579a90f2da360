import { announcedEvent, type DeskEvent, presenceMessage } from '@tidings/contracts/desk/events'
import { type LiveSocket, policyViolation } from '#features/live-feed/index.ts'
import { createRepeatedWarning, reasonOf } from '#platform/logger.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { parseJson } from '#platform/parse-json.ts'
import { deskAccessChannel, deskEventsChannel } from './announce.ts'
import { createDeskSockets, type DeskClient } from './desk-sockets.ts'
import { createMessageLimit } from './message-limit.ts'
import { createPresence, presenceChannel, type Sighting } from './presence.ts'

type Deps = Pick<PlatformDeps, 'notifications' | 'clock' | 'logger' | 'metrics'>

export type DeskEvents = ReturnType<typeof createDeskEvents>

/** Sends the desk's events and who is there to the open desks of this process. */
export function createDeskEvents({ notifications, clock, logger, metrics }: Deps) {
  const sockets = createDeskSockets(metrics)
  const presence = createPresence({ clock })
  const isFlood = createMessageLimit(clock)
  const warn = createRepeatedWarning(logger, 'desk presence delayed')
  let lastFrame = presence.toFrame()
  let lastSent: Promise<void> = Promise.resolve()

  /** Tells all processes, this one too, about a socket. A heartbeat repeats what is lost. */
  function tellAll({ id: socket, actor, memo, article }: DeskClient, isOpen: boolean): void {
    const sighting: Sighting = { socket, actor, memo, article, isOpen }
    lastSent = notifications
      .sendAll(presenceChannel, [JSON.stringify(sighting)])
      .catch((error: unknown) => warn({ reason: reasonOf(error) }))
  }

  function sendPresence(): void {
    const frame = presence.toFrame()
    if (frame === lastFrame) return
    lastFrame = frame
    sockets.broadcast(frame)
  }

  async function checkAccess(among?: Iterable<LiveSocket>): Promise<void> {
    try {
      await sockets.closeWithoutAccess(among)
    } catch (error) {
      // It is repeated with the next ping.
      logger.warn({ err: error }, 'desk access check failed')
    }
  }

  notifications.on(presenceChannel, (payload) => {
    presence.receive(payload)
    sendPresence()
  })
  notifications.on(deskEventsChannel, (payload) => {
    // A newer process may announce what this one doesn't know.
    const { data } = announcedEvent.safeParse(parseJson(payload))
    if (data !== undefined) sockets.broadcast(JSON.stringify(data))
  })
  notifications.on(deskAccessChannel, () => void checkAccess())
  notifications.onRestored(() => {
    presence.clear()
    lastFrame = presence.toFrame()
    sockets.restartAll('read again')
  })

  return {
    sockets,
    /** Closes the sockets whose key or session has ended. */
    checkAccess: (): Promise<void> => checkAccess(),

    /** Sends an event to the open desks of this process. */
    broadcast: (event: DeskEvent): void => sockets.broadcast(JSON.stringify(event)),

    /** Adds a socket and sends it who is there. */
    open(socket: LiveSocket, client: DeskClient): void {
      sockets.add(socket, client)
      sockets.sendTo(socket, lastFrame)
      tellAll(client, true)
      // Access may have ended between its check and here.
      void checkAccess([socket])
    },

    /** Handles a message: a heartbeat with the open memo or article. Closes the socket for anything else. */
    receive(socket: LiveSocket, message: string): void {
      const client = sockets.find(socket)
      if (client === null) return
      const { data } = presenceMessage.safeParse(parseJson(message))
      if (data === undefined) socket.close(policyViolation, 'invalid message')
      else if (isFlood(socket)) socket.close(policyViolation, 'too many messages')
      else {
        client.memo = data.memo
        client.article = data.article
        tellAll(client, true)
      }
    },

    /** Handles the end of a socket, whose editor is gone at once. */
    closed(socket: LiveSocket): void {
      const client = sockets.find(socket)
      sockets.remove(socket)
      if (client !== null) tellAll(client, false)
    },

    /** Removes the editors without a heartbeat. */
    expire(): void {
      presence.expire()
      sendPresence()
    },

    /** Resolves once every process was told what happened so far. */
    settled: async (): Promise<void> => await lastSent,
  }
}
