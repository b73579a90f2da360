import type { OpenSocket, SocketEars } from '../lib/live-socket.ts'

/** Stands in for the live feed's sockets: records each one opened, and lets a test speak for the server. */
export type FakeSockets = {
  open: OpenSocket
  /** Paths of all sockets opened so far. */
  opened: string[]
  /** Sockets the page closed itself. */
  closedByPage: number
  /** The newest socket as the server holds it. */
  server: () => SocketEars
}

/** Makes a stand-in without any socket yet. */
export function fakeSockets(): FakeSockets {
  let ears: SocketEars | null = null
  const sockets: FakeSockets = {
    opened: [],
    closedByPage: 0,
    open(path, newEars) {
      sockets.opened.push(path)
      ears = newEars
      return {
        close() {
          sockets.closedByPage += 1
        },
      }
    },
    server() {
      if (ears === null) throw new Error('The page has not opened a socket yet')
      return ears
    },
  }
  return sockets
}
