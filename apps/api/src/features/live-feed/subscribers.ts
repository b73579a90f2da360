import type { Metrics } from '#platform/metrics.ts'
import { createNetworkCounts } from './network-counts.ts'
import { createRooms } from './rooms.ts'
import { restartGradually, restartSockets, serviceRestart } from './service-restart.ts'

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

export const policyViolation = 1008
const closeTimeoutMs = 2_000
const none: ReadonlySet<LiveSocket> = new Set()

export type Subscribers = ReturnType<typeof createSubscribers>

/** Creates the set of open sockets of this process. NOTE: an idle socket costs one set entry, to save memory. */
export function createSubscribers(metrics: Metrics) {
  const { open, framesSent, dropped } = createLiveMetrics(metrics)
  const sockets = new Set<LiveSocket>()
  const awaitingPong = new Set<LiveSocket>()
  const withoutMemos = new Set<LiveSocket>()
  const rooms = createRooms<LiveSocket>()
  const networks = createNetworkCounts<LiveSocket>()
  let closing: { reason: string; whenEmpty: () => void } | null = null

  function remove(socket: LiveSocket): void {
    sockets.delete(socket)
    awaitingPong.delete(socket)
    withoutMemos.delete(socket)
    rooms.leave(socket)
    networks.remove(socket)
    open.set(sockets.size)
    if (sockets.size === 0) closing?.whenEmpty()
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

  return {
    remove,
    /** Asks every client to reconnect, as after an interruption in which events may have been lost. */
    restartAll: (reason: string): void => restartSockets(sockets, reason),
    get size() {
      return sockets.size
    },
    isFull: networks.isFull,
    hasRoom: (room: string): boolean => rooms.of(room).size > 0,

    /** Adds a socket; without a subscription it receives NEW_MEMO. */
    add(socket: LiveSocket, subscription?: Subscription): void {
      sockets.add(socket)
      if (subscription?.memos === false) withoutMemos.add(socket)
      if (typeof subscription?.room === 'string')
        rooms.join(socket, subscription.room, subscription.requireAccess)
      if (subscription !== undefined) networks.add(socket, subscription.address)
      open.set(sockets.size)
      if (closing !== null) socket.close(serviceRestart, closing.reason)
    },

    /** Sends a text frame to every subscriber of NEW_MEMO and drops slow sockets. */
    broadcast: (frame: string): void => send(sockets, withoutMemos, frame),

    /** Sends a text frame to a room and drops slow sockets. */
    broadcastTo: (room: string, frame: string): void => send(rooms.of(room), none, frame),

    /** Closes the sockets of a room whose access has ended since they were opened. */
    closeWithoutAccess: (room: string): Promise<void> =>
      rooms.leaveWithoutAccess(room, (socket) => socket.close(policyViolation, 'no access')),

    /** Drops the sockets without a pong since the last call, and pings the others. */
    pingAll(): void {
      for (const socket of awaitingPong) drop(socket, 'dead')
      for (const socket of sockets) {
        awaitingPong.add(socket)
        socket.ping()
      }
    },

    onPong: (socket: LiveSocket): boolean => awaitingPong.delete(socket),

    /** Closes the present sockets over this time. */
    closeGradually: (reason: string, totalMs: number): void => restartGradually(sockets, reason, totalMs),

    /** Closes all sockets and every later one; terminates those still open after two seconds. */
    async close(reason: string): Promise<void> {
      restartSockets(sockets, reason)
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

/** Creates the metrics of open sockets. */
function createLiveMetrics(metrics: Metrics) {
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
  return { open, framesSent, dropped }
}
