import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Lifetime } from '../programs/lifetime.ts'

/** Slow 3G: 400 kbit/s in each direction, with round trips of 400 ms. */
const slow3G = { bytesPerSecond: 50_000, roundTripMs: 400 }

const chunkBytes = 1_400

/**
 * Starts a TCP proxy in front of a local port, as slow as a phone's link. All connections share its bandwidth, and each
 * new one costs a round trip more. Returns the proxy's port.
 */
export async function startSlowLink(lifetime: Lifetime, port: number): Promise<number> {
  const down = createDirection()
  const up = createDirection()
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (phone) => {
    const site = connect({ port, host: '127.0.0.1', noDelay: true })
    for (const socket of [phone, site]) sockets.add(socket)
    const end = () => {
      for (const socket of [phone, site]) {
        socket.destroy()
        sockets.delete(socket)
      }
    }
    const handshake = pause(slow3G.roundTripMs)
    Promise.all([pipeline(phone, up(handshake), site), pipeline(site, down(handshake), phone)]).then(end, end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  lifetime.atEnd(async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The slow link has no port.')
  return address.port
}

/** Creates one direction of the link, whose connections take turns. */
function createDirection() {
  let freeAt = 0
  return (handshake: Promise<void>) =>
    new Transform({
      async transform(data: Buffer, _encoding, done) {
        await handshake
        for (let start = 0; start < data.length; start += chunkBytes) {
          const chunk = data.subarray(start, start + chunkBytes)
          freeAt = Math.max(freeAt, performance.now()) + (chunk.length / slow3G.bytesPerSecond) * 1_000
          const arrivesAt = freeAt + slow3G.roundTripMs / 2
          setTimeout(() => this.push(chunk), arrivesAt - performance.now())
          // The next chunk starts once this one has left, so that other connections get their turn.
          await pause(freeAt - performance.now())
        }
        done()
      },
      flush(done) {
        setTimeout(done, slow3G.roundTripMs)
      },
    })
}
