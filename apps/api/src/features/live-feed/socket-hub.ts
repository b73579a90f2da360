import type { Metrics } from '../../platform/metrics.ts'

/** The part of a WebSocket that the hub needs (the `ws` package's own names). */
export type LiveSocket = {
  readonly bufferedAmount: number
  send(data: Buffer, options: { binary: boolean }): void
  ping(): void
  close(code: number, reason: string): void
  terminate(): void
}

export type SocketHub = {
  add(socket: LiveSocket): void
  remove(socket: LiveSocket): void
  /** A pong came: the other side lives. */
  heard(socket: LiveSocket): void
  /** Sends one text frame to everybody; whoever is too far behind is dropped instead. */
  broadcast(frame: string): void
  /** Ends those that did not answer the last heartbeat and asks the others. To be called at every heartbeat. */
  beat(): void
  /** Asks everybody to connect again, as after a time in which something may have been missed. */
  restartAll(reason: string): void
  /**
   * Does so for good, as when the process ends: resolves when everybody is gone. Who does not go within two seconds is
   * cut off, and who still comes is sent away.
   */
  end(reason: string): Promise<void>
  readonly size: number
}

/** A reader who has not taken this many bytes is not reading; a memo is some 3,000. */
export const slowSocketBytes = 1_000_000

const serviceRestart = 1012
const farewellMs = 2_000

/** The open sockets of this process: one set, no state or closure for each, so that an idle one costs little. */
export function createSocketHub(metrics: Metrics): SocketHub {
  const sockets = new Set<LiveSocket>()
  const unanswered = new Set<LiveSocket>()
  let ending: { reason: string; whenEmpty: () => void } | null = null

  function remove(socket: LiveSocket): void {
    sockets.delete(socket)
    unanswered.delete(socket)
    metrics.sockets.set(sockets.size)
    if (sockets.size === 0) ending?.whenEmpty()
  }

  function restartAll(reason: string): void {
    for (const socket of sockets) socket.close(serviceRestart, reason)
  }

  function drop(socket: LiveSocket, reason: string): void {
    remove(socket)
    metrics.socketsDropped.inc({ reason })
    socket.terminate()
  }

  return {
    add(socket) {
      sockets.add(socket)
      metrics.sockets.set(sockets.size)
      if (ending !== null) socket.close(serviceRestart, ending.reason)
    },
    remove,
    heard: (socket) => void unanswered.delete(socket),
    broadcast(frame) {
      const bytes = Buffer.from(frame)
      for (const socket of sockets) {
        if (socket.bufferedAmount > slowSocketBytes) drop(socket, 'slow')
        else socket.send(bytes, { binary: false })
      }
      metrics.framesSent.inc(sockets.size)
    },
    beat() {
      for (const socket of unanswered) drop(socket, 'dead')
      for (const socket of sockets) {
        unanswered.add(socket)
        socket.ping()
      }
    },
    restartAll,
    async end(reason) {
      restartAll(reason)
      const left = Promise.withResolvers<void>()
      ending = { reason, whenEmpty: left.resolve }
      if (sockets.size === 0) return
      const cutOff = setTimeout(() => {
        for (const socket of sockets) drop(socket, 'farewell')
      }, farewellMs)
      await left.promise
      clearTimeout(cutOff)
    },
    get size() {
      return sockets.size
    },
  }
}
