import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** Writes what a push service replies, and may go on writing. */
export type RawReply = (socket: Socket, request: string) => void

/** Starts a push service that writes any bytes as its reply. `requests` are the heads of those it received. */
export async function startRawPushService(reply: RawReply) {
  const sockets = new Set<Socket>()
  const requests: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', (data) => {
      const request = data.toString('latin1')
      requests.push(request)
      reply(socket, request)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    requests,
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
