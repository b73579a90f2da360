import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '#platform/clock.ts'
import { createEventLimit } from '#platform/limits/event-limit.ts'

export type ConnectionLimits = {
  /** How many connections may be open at once. In all, the oldest one makes room for a new one. */
  atOnce: number
  atOnceInAll: number
  /** The limits of one network in a minute, and of all networks together. */
  perMinute: Readonly<Record<LimitedEvent, { max: number; maxInAll: number }>>
  /** How long a connection may last, however busy it is. */
  connectionMs: number
}

export type LimitedEvent = 'connections' | 'commands' | 'errors'

export const defaultConnectionLimits: ConnectionLimits = {
  atOnce: 5,
  atOnceInAll: 100,
  perMinute: {
    connections: { max: 60, maxInAll: 1_200 },
    commands: { max: 600, maxInAll: 12_000 },
    errors: { max: 20, maxInAll: 1_000 },
  },
  connectionMs: 5 * 60_000,
}

type Options = {
  limits: ConnectionLimits
  clock: Clock
  networkOf(address: string): string
  /** Whether an address is one of our relays, which have no limits of their own. */
  isRelay(address: string): boolean
}

/** An open connection. */
export type LimitedConnection = {
  readonly socket: Socket
  /** Counts something that it did, and ends it past a limit. Returns whether it goes on. */
  count(event: LimitedEvent): boolean
  /** Keeps it open while what it sent is received and recorded. */
  whileRecording<T>(record: Promise<T>): Promise<T>
  end(): void
}

/** Keeps strangers from using up the connections of a server, one by one or together. */
export function createConnectionGuard({ limits, clock, networkOf, isRelay }: Options) {
  const { perMinute } = limits
  const eventLimit = (event: LimitedEvent) => createEventLimit({ ...perMinute[event], seconds: 60, clock })
  const events = {
    connections: eventLimit('connections'),
    commands: eventLimit('commands'),
    errors: eventLimit('errors'),
  }
  const open = new Map<Socket, { network: string; recording: number }>()
  const recordings = new Set<Promise<unknown>>()

  function openFrom(network: string): number {
    return [...open.values()].filter((each) => each.network === network).length
  }

  function makeRoom(): void {
    if (open.size < limits.atOnceInAll) return
    const oldest = [...open].find(([, { recording }]) => recording === 0)
    if (oldest !== undefined) end(oldest[0])
  }

  function end(socket: Socket): void {
    open.delete(socket)
    if (socket.destroyed) return
    // Waits for nothing: the other side may never read.
    socket.write('421 4.7.0 Too many connections or commands, try again later\r\n')
    socket.destroy()
  }

  return {
    /** Admits a connection, or ends it and returns null. */
    admit(socket: Socket): LimitedConnection | null {
      socket.on('error', () => {})
      const address = socket.remoteAddress ?? ''
      const network = networkOf(address)
      const isLimited = !isRelay(address)
      const take = (event: LimitedEvent) => !isLimited || events[event].take(network)
      if (!take('connections') || (isLimited && openFrom(network) >= limits.atOnce)) {
        end(socket)
        return null
      }
      makeRoom()
      const state = { network, recording: 0 }
      open.set(socket, state)
      const lifetime = setTimeout(() => end(socket), limits.connectionMs)
      socket.once('close', () => {
        clearTimeout(lifetime)
        open.delete(socket)
      })
      return {
        socket,
        count(event) {
          if (take(event)) return true
          end(socket)
          return false
        },
        async whileRecording(record) {
          state.recording += 1
          recordings.add(record)
          try {
            return await record
          } finally {
            state.recording -= 1
            recordings.delete(record)
          }
        },
        end: () => end(socket),
      }
    },

    /** Ends every connection: at once, or after what it sent is recorded, within a time. */
    async endAll(withinMs: number): Promise<void> {
      for (const [socket, { recording }] of open) if (recording === 0) end(socket)
      const recorded = Promise.allSettled([...recordings])
      await Promise.race([recorded, wait(withinMs, undefined, { ref: false })])
      // The replies are written first.
      await nextTurn()
      for (const socket of [...open.keys()]) end(socket)
    },
  }
}
