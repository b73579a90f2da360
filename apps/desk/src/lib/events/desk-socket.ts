import type { DeskEvent } from '@tidings/contracts/desk/events'

const firstDelayMs = 1_000
const longestDelayMs = 30_000

/** The socket, as a test may replace it. */
type Socket = Pick<WebSocket, 'close' | 'onopen' | 'onmessage' | 'onclose'>

type Options = {
  connect: () => Socket
  onEvent: (event: DeskEvent) => void
  /** Called when the socket is open again after an interruption, in which events were lost. */
  onReturn: () => void
}

/**
 * Keeps a socket to the desk open, with growing delays between the tries.
 * @returns closes it for good
 */
export function keepDeskSocket({ connect, onEvent, onReturn }: Options): () => void {
  let failures = 0
  let hasOpened = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let socket: Socket | null = null

  function open(): void {
    socket = connect()
    socket.onopen = () => {
      failures = 0
      if (hasOpened) onReturn()
      hasOpened = true
    }
    socket.onmessage = ({ data }) => {
      const event = parseEvent(data)
      if (event !== null) onEvent(event)
    }
    socket.onclose = () => {
      timer = setTimeout(open, Math.min(firstDelayMs * 2 ** failures, longestDelayMs))
      failures += 1
    }
  }

  open()
  return () => {
    clearTimeout(timer)
    if (socket === null) return
    socket.onclose = null
    socket.close()
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
