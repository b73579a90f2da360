import type { DeskActor } from '@tidings/contracts/desk/events'
import {
  type LiveSocket,
  policyViolation,
  restartGradually,
  restartSockets,
  serviceRestart,
  slowSocketBytes,
} from '#features/live-feed/index.ts'
import type { Metrics } from '#platform/metrics.ts'

/** An open socket's editor and state. */
export type DeskClient = {
  /** Names the socket among those of all processes. */
  id: string
  actor: DeskActor
  /** The memo that is open; null without one. */
  memo: string | null
  /** The article that is open; null without one. */
  article: string | null
  /** Returns whether the key or session still gives access. */
  hasAccess: () => Promise<boolean>
}

const closeTimeoutMs = 2_000

/** Creates the set of open desks of this process. */
export function createDeskSockets(metrics: Metrics) {
  const open = metrics.gauge({ name: 'tidings_desk_sockets', help: 'Open sockets of the desk' })
  const clients = new Map<LiveSocket, DeskClient>()
  const awaitingPong = new Set<LiveSocket>()
  let isClosing = false

  function openSockets(): Set<LiveSocket> {
    return new Set(clients.keys())
  }

  /** Ends a connection; its `close` event removes the socket. */
  function drop(socket: LiveSocket): void {
    awaitingPong.delete(socket)
    socket.terminate()
  }

  function send(socket: LiveSocket, bytes: Buffer): void {
    if (socket.bufferedAmount > slowSocketBytes) drop(socket)
    else socket.send(bytes, { binary: false })
  }

  return {
    get size() {
      return clients.size
    },

    /** Counts the sockets of an editor. */
    countOf: ({ kind, id }: DeskActor): number =>
      [...clients.values()].filter(({ actor }) => actor.kind === kind && actor.id === id).length,

    /** Returns the client of an open socket. */
    find: (socket: LiveSocket): DeskClient | null => clients.get(socket) ?? null,

    add(socket: LiveSocket, client: DeskClient): void {
      clients.set(socket, client)
      open.set(clients.size)
      if (isClosing) socket.close(serviceRestart, 'the server restarts')
    },

    /** Removes a socket that has closed. */
    remove(socket: LiveSocket): void {
      clients.delete(socket)
      open.set(clients.size)
      awaitingPong.delete(socket)
    },

    /** Sends a text frame to one socket. */
    sendTo: (socket: LiveSocket, frame: string): void => send(socket, Buffer.from(frame)),

    /** Sends a text frame to every socket and drops slow ones. */
    broadcast(frame: string): void {
      const bytes = Buffer.from(frame)
      for (const socket of openSockets()) send(socket, bytes)
    },

    /** Closes those of the sockets whose key or session has ended; by default, of all. */
    async closeWithoutAccess(among: Iterable<LiveSocket> = openSockets()): Promise<void> {
      await Promise.all(
        [...among].map(async (socket) => {
          const hasAccess = await clients.get(socket)?.hasAccess()
          if (hasAccess === false) socket.close(policyViolation, 'no access')
        }),
      )
    },

    /** Drops the sockets without a pong since the last call, and pings the others. */
    pingAll(): void {
      for (const socket of awaitingPong) drop(socket)
      for (const socket of openSockets()) {
        awaitingPong.add(socket)
        socket.ping()
      }
    },

    onPong: (socket: LiveSocket): boolean => awaitingPong.delete(socket),

    /** Asks every desk to reconnect, as after an interruption in which events may have been lost. */
    restartAll: (reason: string): void => restartSockets(openSockets(), reason),

    /** Closes the present sockets over this time. */
    closeGradually: (reason: string, totalMs: number): void =>
      restartGradually(openSockets(), reason, totalMs),

    /** Closes all sockets and every later one; terminates those still open after two seconds. */
    close(reason: string): void {
      isClosing = true
      restartSockets(openSockets(), reason)
      setTimeout(() => {
        for (const socket of openSockets()) drop(socket)
      }, closeTimeoutMs).unref()
    },
  }
}
