import { liveFeed } from '@tidings/contracts/routes'
import type { OpenSocket } from '#lib/browser/live-socket.ts'
import { type MemoEvent, parseMemoEvent } from '../memo.ts'

/** The live feed's connection. `attempt` counts the attempts since the last stable connection. */
export type Connection =
  | { status: 'idle' }
  | { status: 'connecting'; attempt: number }
  | { status: 'open'; attempt: number }
  | { status: 'waiting'; attempt: number; delayMs: number }

export type ConnectionEvent =
  | { type: 'started' }
  | { type: 'opened' }
  | { type: 'stabilized' }
  /** `random`, from 0 to 1, spreads the readers who lost the same server. */
  | { type: 'dropped'; random: number }
  | { type: 'delayElapsed' }
  | { type: 'stopped' }

const firstDelayMs = 1000
const maxDelayMs = 30_000

/** How long a connection must stay open to count as stable, which resets the backoff. */
const stableAfterMs = 10_000

/** Returns the next state. Retries use exponential backoff up to 30 seconds, with full jitter. */
export function connectionReducer(connection: Connection, event: ConnectionEvent): Connection {
  switch (event.type) {
    case 'started':
      return connection.status === 'idle' ? { status: 'connecting', attempt: 0 } : connection
    case 'opened':
      return connection.status === 'connecting' ? { ...connection, status: 'open' } : connection
    case 'stabilized':
      return connection.status === 'open' ? { status: 'open', attempt: 0 } : connection
    case 'dropped': {
      if (connection.status !== 'connecting' && connection.status !== 'open') return connection
      const ceilingMs = Math.min(maxDelayMs, firstDelayMs * 2 ** connection.attempt)
      const delayMs = Math.round(ceilingMs * event.random)
      return { status: 'waiting', attempt: connection.attempt + 1, delayMs }
    }
    case 'delayElapsed':
      return connection.status === 'waiting'
        ? { status: 'connecting', attempt: connection.attempt }
        : connection
    case 'stopped':
      return { status: 'idle' }
  }
}

/** How long the first opening may take without counting as a gap. */
const firstOpeningMs = 3000

type LiveFeedDeps = {
  openSocket: OpenSocket
  /** Returns a number from 0 up to 1. */
  random: () => number
  onMemoEvent: (event: MemoEvent) => void
  /** The feed is open, but memos may have been missed before: the shown editions must be read again. */
  onGap: () => void
  /** The socket did not open: offline, or the gate has to be passed again. */
  onRefused: () => void
}

/** Creates the live feed, which keeps one socket open while it is started. */
export function createLiveFeed({ openSocket, random, onMemoEvent, onGap, onRefused }: LiveFeedDeps) {
  let connection: Connection = { status: 'idle' }
  let socket: { close: () => void } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasGap = false
  // Memos read just before the first opening may be outdated too, but that refresh can wait for a stable connection.
  let needsFirstRefresh = true

  function dispatch(event: ConnectionEvent) {
    const before = connection
    connection = connectionReducer(connection, event)
    if (connection.status === before.status) return
    clearTimeout(timer)
    if (connection.status === 'connecting') connect()
    if (connection.status === 'open') timer = setTimeout(stabilize, stableAfterMs)
    if (connection.status === 'waiting') {
      timer = setTimeout(() => dispatch({ type: 'delayElapsed' }), connection.delayMs)
    }
  }

  function connect() {
    if (!hasGap) timer = setTimeout(markGap, firstOpeningMs)
    let isCurrent = true
    const opening = openSocket(liveFeed.path, {
      onOpen() {
        if (!isCurrent) return
        dispatch({ type: 'opened' })
        if (hasGap) reportGap()
        hasGap = true
      },
      onMessage(text) {
        const event = isCurrent ? parseMemoEvent(text) : null
        if (event !== null) onMemoEvent(event)
      },
      onClose() {
        if (!isCurrent) return
        isCurrent = false
        hasGap = true
        const wasOpen = connection.status === 'open'
        dispatch({ type: 'dropped', random: random() })
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

  function stabilize() {
    dispatch({ type: 'stabilized' })
    if (needsFirstRefresh) reportGap()
  }

  function reportGap() {
    needsFirstRefresh = false
    onGap()
  }

  function markGap() {
    hasGap = true
  }

  return {
    start: () => dispatch({ type: 'started' }),
    stop() {
      dispatch({ type: 'stopped' })
      socket?.close()
      socket = null
    },
    /** Reconnects without waiting for the delay: the network or the reader is back. */
    reconnectNow: () => dispatch({ type: 'delayElapsed' }),
  }
}
