import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectLive } from '../live-client.ts'
import { createTestDatabase } from '../test-database.ts'
import { waitOptions } from '../wait-options.ts'
import { callDesk, passGate } from './site-client.ts'
import { errorsOf, type SiteProcess, startApiProcess } from './site-process.ts'

const socketCount = 500
const rounds = 3
// An open socket keeps 3 kB of the heap.
const maxRiseBytes = 1_500 * socketCount * rounds
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
  const sockets = await Promise.all(Array.from({ length: socketCount }, () => openRaw(url, cookie)))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
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

/** Opens many sockets and cuts them all. */
async function openAndCut({ url }: SiteProcess, cookie: string): Promise<void> {
  const sockets = await openMany(new URL(url), cookie)
  expect(await metric(url, 'tidings_live_sockets')).toBe(socketCount)
  cut(sockets)
  await vi.waitFor(async () => expect(await metric(url, 'tidings_live_sockets')).toBe(0), waitOptions)
}

/** Returns the used heap of a process with `log-heap.ts` after a garbage collection. */
async function heapBytes(site: SiteProcess): Promise<number> {
  const lines = () => site.log.filter(({ msg }) => msg === 'heap used')
  const { length } = lines()
  process.kill(site.pid, 'SIGUSR2')
  await vi.waitFor(() => expect(lines().length).toBeGreaterThan(length), waitOptions)
  return Number(lines().at(-1)?.bytes)
}

describe('500 sockets opened and cut', () => {
  it('leak no memory, and the live feed keeps working', async () => {
    const logHeap = new URL('./log-heap.ts', import.meta.url).href
    const env = { NODE_OPTIONS: `--expose-gc --import=${logHeap}` }
    const site = await startApiProcess({ databaseUrl: await createTestDatabase(), env })
    const cookie = await passGate(site.url)
    // Creates what a server creates once.
    await openAndCut(site, cookie)
    const before = await heapBytes(site)
    for (let round = 1; round <= rounds; round += 1) await openAndCut(site, cookie)
    await vi.waitFor(async () => {
      const rise = (await heapBytes(site)) - before
      expect(rise).toBeLessThan(maxRiseBytes)
    }, waitOptions)
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
