/** A bare `ws` server with a loop over its sockets, the baseline of the live feed. */
import { WebSocketServer } from 'ws'
import { serveRequests } from '../programs/serve-requests.ts'

export type BareOrder = { do: 'listen' } | { do: 'broadcast'; frame: string }

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
const listening = new Promise((resolve) => server.once('listening', resolve))

serveRequests<BareOrder>(async (order) => {
  await listening
  if (order.do === 'listen') {
    const address = server.address()
    return typeof address === 'object' ? `ws://127.0.0.1:${address?.port}/` : address
  }
  const bytes = Buffer.from(order.frame)
  for (const socket of server.clients) socket.send(bytes, { binary: false })
  return server.clients.size
})
