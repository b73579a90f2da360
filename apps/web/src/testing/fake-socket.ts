import type { OpenSocket, SocketHandlers } from '../lib/browser/live-socket.ts'

/** Fake sockets of the live feed: they record each opening and let a test act as the server. */
export type FakeSockets = {
  open: OpenSocket
  /** Paths of all sockets opened so far. */
  opened: string[]
  /** Subprotocols of the newest socket. */
  protocols: string[]
  /** Number of sockets that the page closed. */
  closedByPage: number
  /** The newest socket, as the server holds it. */
  server: () => SocketHandlers
}

export function createFakeSockets(): FakeSockets {
  let current: SocketHandlers | null = null
  const sockets: FakeSockets = {
    opened: [],
    protocols: [],
    closedByPage: 0,
    open(path, handlers, protocols = []) {
      sockets.opened.push(path)
      sockets.protocols = protocols
      current = handlers
      return {
        close() {
          sockets.closedByPage += 1
        },
      }
    },
    server() {
      if (current === null) throw new Error('The page has not opened a socket yet')
      return current
    },
  }
  return sockets
}
