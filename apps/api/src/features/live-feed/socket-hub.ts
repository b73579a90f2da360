import type { Metrics } from '#platform/metrics.ts'

/** The part of a WebSocket that the hub needs (the `ws` package's own names). */
export type LiveSocket = {
  readonly bufferedAmount: number
  send(data: Buffer, options: { binary: boolean }): void
  ping(): void
  close(code: number, reason: string): void
  terminate(): void
}

/** What a socket is sent. */
export type Subscription = {
  /** Whether it is sent what goes to everybody. */
  memos: boolean
  /** The room of which it hears too; null for none. */
  room: string | null
  /** The network that it comes from. */
  network: string
}

export type SocketHub = {
  /** Takes a socket in; one without a subscription hears what goes to everybody. */
  add(socket: LiveSocket, subscription?: Subscription): void
  remove(socket: LiveSocket): void
  /** A pong came: the other side lives. */
  heard(socket: LiveSocket): void
  /** Sends one text frame to everybody who may read memos; whoever is too far behind is dropped instead. */
  broadcast(frame: string): void
  /** Sends one text frame to a room alone, likewise. */
  broadcastTo(room: string, frame: string): void
  /** How many sockets a network has open. */
  openOf(network: string): number
  /** Whether anybody is in a room. */
  hasRoom(room: string): boolean
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
const nobody: ReadonlySet<LiveSocket> = new Set()

/**
 * The open sockets of this process: one set, no state or closure for each, so that an idle one costs little. Who is in
 * a room, or gets no memos, stands in further sets beside it.
 */
export function createSocketHub(metrics: Metrics): SocketHub {
  const sockets = new Set<LiveSocket>()
  const unanswered = new Set<LiveSocket>()
  const withoutMemos = new Set<LiveSocket>()
  const rooms = new Map<string, Set<LiveSocket>>()
  const roomOf = new Map<LiveSocket, string>()
  const networkOfSocket = new Map<LiveSocket, string>()
  const openOfNetwork = new Map<string, number>()
  let ending: { reason: string; whenEmpty: () => void } | null = null

  function remove(socket: LiveSocket): void {
    sockets.delete(socket)
    unanswered.delete(socket)
    withoutMemos.delete(socket)
    leaveRoom(socket)
    countNetwork(socket, -1)
    networkOfSocket.delete(socket)
    metrics.sockets.set(sockets.size)
    if (sockets.size === 0) ending?.whenEmpty()
  }

  function countNetwork(socket: LiveSocket, change: 1 | -1): void {
    const network = networkOfSocket.get(socket)
    if (network === undefined) return
    const open = (openOfNetwork.get(network) ?? 0) + change
    if (open === 0) openOfNetwork.delete(network)
    else openOfNetwork.set(network, open)
  }

  function enterRoom(socket: LiveSocket, room: string): void {
    const inside = rooms.get(room) ?? new Set()
    rooms.set(room, inside.add(socket))
    roomOf.set(socket, room)
  }

  function leaveRoom(socket: LiveSocket): void {
    const room = roomOf.get(socket)
    if (room === undefined) return
    roomOf.delete(socket)
    const inside = rooms.get(room)
    inside?.delete(socket)
    if (inside?.size === 0) rooms.delete(room)
  }

  function send(receivers: ReadonlySet<LiveSocket>, except: ReadonlySet<LiveSocket>, frame: string): void {
    const bytes = Buffer.from(frame)
    let sent = 0
    for (const socket of receivers) {
      if (except.has(socket)) continue
      if (socket.bufferedAmount > slowSocketBytes) {
        drop(socket, 'slow')
      } else {
        socket.send(bytes, { binary: false })
        sent += 1
      }
    }
    metrics.framesSent.inc(sent)
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
    add(socket, subscription) {
      sockets.add(socket)
      if (subscription?.memos === false) withoutMemos.add(socket)
      if (typeof subscription?.room === 'string') enterRoom(socket, subscription.room)
      if (subscription !== undefined) networkOfSocket.set(socket, subscription.network)
      countNetwork(socket, 1)
      metrics.sockets.set(sockets.size)
      if (ending !== null) socket.close(serviceRestart, ending.reason)
    },
    remove,
    heard: (socket) => void unanswered.delete(socket),
    broadcast: (frame) => send(sockets, withoutMemos, frame),
    broadcastTo: (room, frame) => send(rooms.get(room) ?? nobody, nobody, frame),
    openOf: (network) => openOfNetwork.get(network) ?? 0,
    hasRoom: (room) => rooms.has(room),
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
