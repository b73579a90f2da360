import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectLive } from '../live-client.ts'
import { createTestDatabase } from '../test-database.ts'
import { waitOptions } from '../wait-options.ts'
import { callDesk, passGate } from './site-client.ts'
import { errorsOf, startApiProcess } from './site-process.ts'

const socketCount = 5_000
const batchSize = 250
const rounds = 3
const heapMegabytes = 128
const key = '11-20-26-10AM'

/** Opens the live feed on a raw socket, so that its connection can be cut. Resolves when it is open. */
function openRaw(url: URL, cookie: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port) }, () =>
      socket.write(
        `GET /socket HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: ${cookie}\r\n\r\n`,
      ),
    )
    socket.once('data', (head) =>
      String(head).startsWith('HTTP/1.1 101') ? resolve(socket) : reject(new Error(String(head))),
    )
    socket.on('error', reject)
  })
}

async function openMany(url: URL, cookie: string): Promise<Socket[]> {
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  while (sockets.length < socketCount) {
    sockets.push(...(await Promise.all(Array.from({ length: batchSize }, () => openRaw(url, cookie)))))
  }
  return sockets
}

/** Resets half of the connections and closes the others without a WebSocket close frame. */
function cut(sockets: readonly Socket[]): void {
  for (const [index, socket] of sockets.entries()) {
    if (index % 2 === 0) socket.resetAndDestroy()
    else socket.destroy()
  }
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', url))).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

describe('5,000 sockets opened and cut', () => {
  it('leak no memory, and the live feed keeps working', async () => {
    // Leaked sockets of three rounds would exceed this heap.
    const env = { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}` }
    const site = await startApiProcess({ databaseUrl: await createTestDatabase(), env })
    const cookie = await passGate(site.url)
    for (let round = 1; round <= rounds; round += 1) {
      const sockets = await openMany(new URL(site.url), cookie)
      expect(await metric(site.url, 'tidings_live_sockets')).toBe(socketCount)
      cut(sockets)
      await vi.waitFor(
        async () => expect(await metric(site.url, 'tidings_live_sockets')).toBe(0),
        waitOptions,
      )
    }
    const reader = await connectLive(site.url, { cookie })
    await callDesk(site.url, 'PUT', `/desk/v1/editions/${key}`, { body: { status: 'draft' } })
    await callDesk(site.url, 'POST', `/desk/v1/editions/${key}/memos`, {
      body: { title: 'Still here', memo_content: '<p>News.</p>' },
    })
    await callDesk(site.url, 'POST', `/desk/v1/editions/${key}/publish`)

    await reader.receive(1)
    expect(reader.titles()).toEqual(['Still here'])
    expect(site.isRunning()).toBe(true)
    expect(errorsOf(site)).toEqual([])
  })
})
