import { paths } from '@tidings/contracts/paths'
import type { OpenSocket } from '../../lib/live-socket.ts'
import { type Arrival, parseFrame } from './arrival.ts'
import { type Connection, type ConnectionEvent, connectionReducer, holdMs } from './connection.ts'

/** How long after the start the first opening may take without counting as a gap. */
const promptMs = 3000

export type LiveFeedParts = {
  openSocket: OpenSocket
  /** A number from 0 up to 1. */
  chance: () => number
  onArrival: (arrival: Arrival) => void
  /** The feed is open, but memos may have passed by before: what is shown must be read again. */
  onGap: () => void
  /** The server would not open the socket: offline, or the gate wants to be passed again. */
  onRefused: () => void
}

export type LiveFeed = {
  start: () => void
  stop: () => void
  /** Tries at once instead of waiting on: the network is back, or the reader is. */
  hurry: () => void
}

/** Keeps one socket to the live feed open, for as long as it is started. */
export function createLiveFeed({ openSocket, chance, onArrival, onGap, onRefused }: LiveFeedParts): LiveFeed {
  let connection: Connection = { status: 'idle' }
  let socket: { close: () => void } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasGap = false
  // What was read just before the first opening may miss a memo too; reading it again can wait a little.
  let owesFirstReading = true

  function turn(event: ConnectionEvent) {
    const before = connection
    connection = connectionReducer(connection, event)
    if (connection.status === before.status) return
    clearTimeout(timer)
    if (connection.status === 'connecting') connect()
    if (connection.status === 'open') timer = setTimeout(hold, holdMs)
    if (connection.status === 'waiting') {
      timer = setTimeout(() => turn({ type: 'waited' }), connection.delayMs)
    }
  }

  function connect() {
    if (!hasGap) timer = setTimeout(markGap, promptMs)
    let isCurrent = true
    const opening = openSocket(paths.socket, {
      opened() {
        if (!isCurrent) return
        turn({ type: 'opened' })
        if (hasGap) readAgain()
        hasGap = true
      },
      received(text) {
        const arrival = isCurrent ? parseFrame(text) : null
        if (arrival !== null) onArrival(arrival)
      },
      closed() {
        if (!isCurrent) return
        isCurrent = false
        hasGap = true
        const wasOpen = connection.status === 'open'
        turn({ type: 'dropped', chance: chance() })
        if (!wasOpen) onRefused()
      },
    })
    socket = {
      close() {
        isCurrent = false
        opening.close()
      },
    }
  }

  function hold() {
    turn({ type: 'held' })
    if (owesFirstReading) readAgain()
  }

  function readAgain() {
    owesFirstReading = false
    onGap()
  }

  function markGap() {
    hasGap = true
  }

  return {
    start: () => turn({ type: 'started' }),
    stop() {
      turn({ type: 'stopped' })
      socket?.close()
      socket = null
    },
    hurry: () => turn({ type: 'waited' }),
  }
}
