import { networksOf } from '#http/limits/networks.ts'
import type { Metrics } from '#platform/metrics.ts'

/** The part of a `ws` socket that is used here. */
export type LiveSocket = {
  readonly bufferedAmount: number
  send(data: Buffer, options: { binary: boolean }): void
  ping(): void
  close(code: number, reason: string): void
  terminate(): void
}

export type Subscription = {
  memos: boolean
  /** The channel's room, or null. */
  room: string | null
  /** Rejects when the room is no longer open to the client; absent for public rooms. */
  requireAccess?: () => Promise<void>
  /** The client's IP address. */
  address: string
}

/** Returns the name of a comment channel's room, which is unique across apps. */
export function roomOfChannel({ appId, channelKey }: { appId: string; channelKey: string }): string {
  return `${appId} ${channelKey}`
}

/** A socket with more unsent bytes than this is dropped; a memo is about 3,000 bytes. */
export const slowSocketBytes = 1_000_000

const serviceRestart = 1012
export const policyViolation = 1008
const closeTimeoutMs = 2_000
const none: ReadonlySet<LiveSocket> = new Set()

export type Subscribers = ReturnType<typeof createSubscribers>

/** Creates the set of open sockets of this process. NOTE: an idle socket costs one set entry, to save memory. */
export function createSubscribers(metrics: Metrics) {
  const open = metrics.gauge({ name: 'tidings_live_sockets', help: 'Open sockets of the live feed' })
  const framesSent = metrics.counter({
    name: 'tidings_live_frames_total',
    help: 'NEW_MEMO frames sent to sockets',
  })
  const dropped = metrics.counter({
    name: 'tidings_live_sockets_dropped_total',
    help: 'Sockets closed because they were dead or too slow',
    labelNames: ['reason'],
  })
  const sockets = new Set<LiveSocket>()
  const awaitingPong = new Set<LiveSocket>()
  const withoutMemos = new Set<LiveSocket>()
  const rooms = new Map<string, Set<LiveSocket>>()
  const roomOf = new Map<LiveSocket, string>()
  const accessOf = new Map<LiveSocket, () => Promise<void>>()
  const addressOf = new Map<LiveSocket, string>()
  const countByNetwork = new Map<string, number>()
  let closing: { reason: string; whenEmpty: () => void } | null = null

  function remove(socket: LiveSocket): void {
    sockets.delete(socket)
    awaitingPong.delete(socket)
    withoutMemos.delete(socket)
    leaveRoom(socket)
    countNetworks(socket, -1)
    addressOf.delete(socket)
    open.set(sockets.size)
    if (sockets.size === 0) closing?.whenEmpty()
  }

  function countNetworks(socket: LiveSocket, change: 1 | -1): void {
    const address = addressOf.get(socket)
    if (address === undefined) return
    for (const { name } of networksOf(address)) {
      const count = (countByNetwork.get(name) ?? 0) + change
      if (count === 0) countByNetwork.delete(name)
      else countByNetwork.set(name, count)
    }
  }

  function joinRoom(socket: LiveSocket, room: string): void {
    const roomSockets = rooms.get(room) ?? new Set()
    rooms.set(room, roomSockets.add(socket))
    roomOf.set(socket, room)
  }

  function leaveRoom(socket: LiveSocket): void {
    const room = roomOf.get(socket)
    if (room === undefined) return
    roomOf.delete(socket)
    accessOf.delete(socket)
    const roomSockets = rooms.get(room)
    roomSockets?.delete(socket)
    if (roomSockets?.size === 0) rooms.delete(room)
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
    framesSent.inc(sent)
  }

  function drop(socket: LiveSocket, reason: string): void {
    remove(socket)
    dropped.inc({ reason })
    socket.terminate()
  }

  /** Asks every client to reconnect, as after an interruption in which events may have been lost. */
  function restartAll(reason: string): void {
    for (const socket of sockets) socket.close(serviceRestart, reason)
  }

  return {
    remove,
    restartAll,
    get size() {
      return sockets.size
    },
    /** Returns whether one of an address's networks has its most sockets open; a wide network has its share. */
    isFull: (address: string, socketsPerNetwork: number): boolean =>
      networksOf(address).some(
        ({ name, share }) => (countByNetwork.get(name) ?? 0) >= share * socketsPerNetwork,
      ),
    hasRoom: (room: string): boolean => rooms.has(room),

    /** Adds a socket; without a subscription it receives NEW_MEMO. */
    add(socket: LiveSocket, subscription?: Subscription): void {
      sockets.add(socket)
      if (subscription?.memos === false) withoutMemos.add(socket)
      if (typeof subscription?.room === 'string') joinRoom(socket, subscription.room)
      if (subscription?.requireAccess !== undefined) accessOf.set(socket, subscription.requireAccess)
      if (subscription !== undefined) addressOf.set(socket, subscription.address)
      countNetworks(socket, 1)
      open.set(sockets.size)
      if (closing !== null) socket.close(serviceRestart, closing.reason)
    },

    /** Sends a text frame to every subscriber of NEW_MEMO and drops slow sockets. */
    broadcast: (frame: string): void => send(sockets, withoutMemos, frame),

    /** Sends a text frame to a room and drops slow sockets. */
    broadcastTo: (room: string, frame: string): void => send(rooms.get(room) ?? none, none, frame),

    /** Closes the sockets of a room whose access has ended since they were opened. */
    async closeWithoutAccess(room: string): Promise<void> {
      await Promise.all(
        [...(rooms.get(room) ?? none)].map(async (socket) => {
          const closed = () => {
            leaveRoom(socket)
            socket.close(policyViolation, 'no access')
          }
          await accessOf.get(socket)?.().catch(closed)
        }),
      )
    },

    /** Drops the sockets without a pong since the last call, and pings the others. */
    pingAll(): void {
      for (const socket of awaitingPong) drop(socket, 'dead')
      for (const socket of sockets) {
        awaitingPong.add(socket)
        socket.ping()
      }
    },

    onPong(socket: LiveSocket): void {
      awaitingPong.delete(socket)
    },

    /** Closes all sockets and every later one; terminates those still open after two seconds. */
    async close(reason: string): Promise<void> {
      restartAll(reason)
      const empty = Promise.withResolvers<void>()
      closing = { reason, whenEmpty: empty.resolve }
      if (sockets.size === 0) return
      const timeout = setTimeout(() => {
        for (const socket of sockets) drop(socket, 'farewell')
      }, closeTimeoutMs)
      await empty.promise
      clearTimeout(timeout)
    },
  }
}
