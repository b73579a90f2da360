import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectLive } from '../live-client.ts'
import { createTestDatabase } from '../test-database.ts'
import { waitOptions } from '../wait-options.ts'
import { passGate } from './site-client.ts'
import { errorsOf, type SiteProcess, startApiProcess } from './site-process.ts'

/** Reads over one kept connection; returns the status and the Connection header. */
function createKeptConnection(url: string, cookie: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return async (path: string) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(new URL(path, url), { agent, headers: { cookie } }, resolve).on('error', reject)
    })
    await text(response)
    return { status: response.statusCode, connection: response.headers.connection }
  }
}

async function readiness({ url }: SiteProcess): Promise<number> {
  return (await fetch(new URL('/readyz', url))).status
}

describe('SIGTERM', () => {
  it('fails readiness and serves on, then closes connections and sockets, and leaves', async () => {
    const site = await startApiProcess({
      databaseUrl: await createTestDatabase(),
      env: { DRAIN_SECONDS: '4' },
    })
    const cookie = await passGate(site.url)
    const live = await connectLive(site.url, { cookie })
    const read = createKeptConnection(site.url, cookie)
    const before = await read('/healthz')
    process.kill(site.pid, 'SIGTERM')
    await vi.waitFor(async () => expect(await readiness(site)).toBe(503), waitOptions)
    const during = [await read('/healthz'), await read('/edition/prod/get_list')]
    const { code } = await live.closed
    const isServing = (await read('/healthz')).status === 200
    await vi.waitFor(() => expect(site.isRunning()).toBe(false), waitOptions)

    expect(before).toEqual({ status: 200, connection: 'keep-alive' })
    expect(during).toEqual([
      { status: 200, connection: 'close' },
      { status: 200, connection: 'close' },
    ])
    expect([code, isServing]).toEqual([1012, true])
    expect(errorsOf(site)).toEqual([])
  })

  it('ends the process at once when it is sent twice', async () => {
    const site = await startApiProcess({
      databaseUrl: await createTestDatabase(),
      env: { DRAIN_SECONDS: '600' },
    })
    process.kill(site.pid, 'SIGTERM')
    await vi.waitFor(async () => expect(await readiness(site)).toBe(503), waitOptions)
    await site.end('SIGTERM')
    expect(site.isRunning()).toBe(false)
  })
})
