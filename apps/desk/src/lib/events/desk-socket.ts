import type { DeskEvent } from '@tidings/contracts/desk/events'
import { nowhere, type PresencePlace } from './presence.ts'

const firstDelayMs = 1_000
const longestDelayMs = 30_000
// The contract's presenceSeconds.heartbeat, which browsers can't load.
const heartbeatMs = 10_000

/** The socket, as a test may replace it. */
type Socket = Pick<WebSocket, 'close' | 'send' | 'onopen' | 'onmessage' | 'onclose'>

type Options = {
  connect: () => Socket
  onEvent: (event: DeskEvent) => void
  /** Called when the socket is open again after an interruption, in which events were lost. */
  onReturn: () => void
  /** Called when the socket closes: the desk no longer knows who is there. */
  onLost: () => void
}

/** A socket that stays open. `tell` names the open text, now and with each heartbeat. */
export type DeskSocket = { tell: (open: PresencePlace) => void; close: () => void }

/** Keeps a socket to the desk open, with growing delays between the tries and a heartbeat of the person. */
export function keepDeskSocket({ connect, onEvent, onReturn, onLost }: Options): DeskSocket {
  let failures = 0
  let hasOpened = false
  let isOpen = false
  let openText = nowhere
  let timer: ReturnType<typeof setTimeout> | undefined
  let socket: Socket | null = null

  function open(): void {
    socket = connect()
    socket.onopen = () => {
      failures = 0
      isOpen = true
      sayHere()
      if (hasOpened) onReturn()
      hasOpened = true
    }
    socket.onmessage = ({ data }) => {
      const event = parseEvent(data)
      if (event !== null) onEvent(event)
    }
    socket.onclose = () => {
      if (isOpen) onLost()
      isOpen = false
      timer = setTimeout(open, Math.min(firstDelayMs * 2 ** failures, longestDelayMs))
      failures += 1
    }
  }

  function sayHere(): void {
    if (isOpen) socket?.send(JSON.stringify({ type: 'presence', ...openText }))
  }

  open()
  const heartbeat = setInterval(sayHere, heartbeatMs)
  return {
    tell(next) {
      openText = next
      sayHere()
    },
    close() {
      clearTimeout(timer)
      clearInterval(heartbeat)
      isOpen = false
      if (socket === null) return
      socket.onclose = null
      socket.close()
    },
  }
}

function parseEvent(data: unknown): DeskEvent | null {
  try {
    const event: unknown = JSON.parse(String(data))
    return isEvent(event) ? event : null
  } catch {
    return null
  }
}

// The server builds frames from the contract, which its own tests check.
function isEvent(value: unknown): value is DeskEvent {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
