import { describe, expect, vi } from 'vitest'
import { WebSocket } from 'ws'
import { siteTest } from '#test/fixtures.ts'
import { connectLive } from '#test/live-client.ts'
import { metricValues } from '#test/metric-values.ts'
import { startTestApp, useTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'
import { slowSocketBytes } from './subscribers.ts'

const droppedSockets = 'tidings_live_sockets_dropped_total'

const it = siteTest().extend('url', { scope: 'file' }, ({ site }) => site.listen())

describe('the heartbeat', () => {
  it('keeps sockets that send a pong and drops the others at the second ping', async ({ site, url }) => {
    const living = await connectLive(url, { cookie: site.pass })
    const dead = await connectLive(url, { cookie: site.pass, autoPong: false })
    const pinged = Promise.all(
      [living, dead].map(
        ({ socket }) => new Promise<void>((resolve) => socket.once('ping', () => resolve())),
      ),
    )
    const { subscribers } = site.context
    const heard = vi.spyOn(subscribers, 'onPong')

    subscribers.pingAll()
    await pinged
    const { size } = subscribers
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), waitOptions)
    subscribers.pingAll()

    expect((await dead.closed).code).toBe(1006)
    expect(subscribers.size).toBeLessThan(size)
    expect(living.socket.readyState).toBe(WebSocket.OPEN)
    heard.mockRestore()
  })

  it('drops a socket that reads nothing, once its buffer is too large', async ({ site, url }) => {
    const slow = await connectLive(url, { cookie: site.pass })
    const quick = await connectLive(url, { cookie: site.pass })
    slow.socket.pause()
    quick.socket.removeAllListeners('message')
    const { subscribers, metrics } = site.context
    const frame = JSON.stringify({ padding: 'x'.repeat(slowSocketBytes / 4) })
    const dropped = async () =>
      (await metricValues(metrics, droppedSockets)).find(({ labels }) => labels.reason === 'slow')?.value

    await vi.waitFor(async () => {
      subscribers.broadcast(frame)
      expect(await dropped()).toBe(1)
    }, waitOptions)

    expect(quick.socket.readyState).toBe(WebSocket.OPEN)
  })
})

describe('the shutdown of a process', () => {
  it('closes its sockets, so that readers reconnect elsewhere', async () => {
    const ending = await startTestApp({ databaseUrl: await createTestDatabase() })
    const client = await connectLive(await ending.listen(), { cookie: ending.pass })

    await ending.close()

    expect(await client.closed).toEqual({ code: 1012, reason: 'the server restarts' })
  })
})

describe('the shutdown of a process with an unresponsive reader', () => {
  it('does not wait for that reader', async () => {
    const ending = await startTestApp({ databaseUrl: await createTestDatabase() })
    const client = await connectLive(await ending.listen(), { cookie: ending.pass })
    client.socket.pause()

    await ending.close()

    const values = await metricValues(ending.context.metrics, droppedSockets)
    expect(values).toMatchObject([{ value: 1, labels: { reason: 'farewell' } }])
  })
})

describe('a lost database connection', () => {
  it('makes readers reconnect after an interruption, so that they miss nothing', async () => {
    const { context, listen, pass } = await useTestApp()
    const client = await connectLive(await listen(), { cookie: pass })

    await context.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE '%listener'`,
    )

    expect(await client.closed).toEqual({ code: 1012, reason: 'read again' })
    expect(context.notifications.isListening()).toBe(true)
  })
})

describe('LIVE_SOCKETS_PER_NETWORK', () => {
  it('is the most sockets of a network, which may open a new one after one closes', async () => {
    const site = await useTestApp({ env: { LIVE_SOCKETS_PER_NETWORK: '2', TRUST_PROXY: 'on' } })
    const url = await site.listen()
    const connect = (network: string) => connectLive(url, { cookie: site.pass, from: network })
    const [first] = [await connect('2001:db8::1'), await connect('2001:db8::2')]
    await expect(connect('2001:db8::3')).rejects.toThrow('429')
    await connect('203.0.113.7')
    first?.socket.close()
    await vi.waitFor(() => expect(site.context.subscribers.size).toBe(2), waitOptions)
    await connect('2001:db8::3')
  })
})
