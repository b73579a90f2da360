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
  readonly size: number
}

/** A reader who has not taken this many bytes is not reading; a memo is some 3,000. */
export const slowSocketBytes = 1_000_000

const serviceRestart = 1012

/** The open sockets of this process: one set, no state or closure for each, so that an idle one costs little. */
export function createSocketHub(metrics: Metrics): SocketHub {
  const sockets = new Set<LiveSocket>()
  const unanswered = new Set<LiveSocket>()

  function remove(socket: LiveSocket): void {
    sockets.delete(socket)
    unanswered.delete(socket)
    metrics.sockets.set(sockets.size)
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
    restartAll(reason) {
      for (const socket of sockets) socket.close(serviceRestart, reason)
    },
    get size() {
      return sockets.size
    },
  }
}
