import { connect } from 'node:net'
import { limits } from '@tidings/contracts/limits'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createTestDesk, refusalOf, type TestDesk } from '#test/desk.ts'
import { connectLive, type LiveClient } from '#test/live-client.ts'
import { metricValues } from '#test/metric-values.ts'
import { startTestApp, type TestApp, useTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'
import { slowSocketBytes } from './subscribers.ts'

const droppedSockets = 'tidings_live_sockets_dropped_total'

const openingHandshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

let one: TestApp
/** Another process on the same database. */
let other: TestApp
let desk: TestDesk
let urls: string[]

beforeAll(async () => {
  const databaseUrl = await createTestDatabase()
  one = await startTestApp({ databaseUrl })
  other = await startTestApp({ databaseUrl })
  desk = createTestDesk(one)
  urls = [await one.listen(), await other.listen()]
})
afterAll(async () => {
  await one.close()
  await other.close()
})

/** Connects a reader to each process. */
async function readers(): Promise<LiveClient[]> {
  return await Promise.all(urls.map((url) => connectLive(url, { cookie: one.pass })))
}

/** Sends a raw upgrade request; returns the status and body of the response. */
function requestUpgrade(
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  const url = new URL(path, urls[0])
  return new Promise((resolve, reject) => {
    const lines = Object.entries({ host: url.host, ...openingHandshake, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    const socket = connect({ host: url.hostname, port: Number(url.port) }, () =>
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
    )
    let text = ''
    const finish = () => {
      socket.destroy()
      resolve({ status: Number(text.split(' ')[1]), body: text.slice(text.indexOf('\r\n\r\n') + 4) })
    }
    socket.on('data', (bytes) => {
      text += String(bytes)
      if (text.startsWith('HTTP/1.1 101') || text.endsWith('}')) finish()
    })
    socket.on('error', reject)
    socket.on('close', finish)
  })
}

describe('NEW_MEMO', () => {
  it('is sent for each memo in order, to readers on every process, when an edition is published', async () => {
    await desk.draft('12-01-26-10AM', ['One', 'Two', 'Three', 'Four'])
    const clients = await readers()

    await desk.publish('12-01-26-10AM')

    for (const client of clients) {
      await client.receive(4)
      expect(client.titles()).toEqual(['One', 'Two', 'Three', 'Four'])
    }
  })

  it('contains the memo, its date and its slot', async () => {
    await desk.draft('12-01-26-3PM')
    const memo = await desk.addMemo('12-01-26-3PM', {
      title: 'A title',
      source: 'https://example.com/',
      media_title: 'Caption',
      media_text: 'Text',
    })
    const clients = await readers()

    await desk.publish('12-01-26-3PM')

    for (const client of clients) await client.receive(1)
    expect(clients[0]?.frames).toEqual([
      {
        event: 'NEW_MEMO',
        data: {
          _id: memo.id,
          title: 'A title',
          media: '',
          media_text: 'Text',
          media_title: 'Caption',
          memo_content: memo.memo_content,
          source: 'https://example.com/',
          counter: 0,
          date: '12-01-26',
          time_stamp: '3PM',
        },
      },
    ])
  })

  it('is sent for a memo added to a published edition, and not for one added to a draft', async () => {
    await desk.draft('12-01-26-8PM')
    await desk.draft('12-02-26-10AM', ['In a draft'])
    await desk.publish('12-01-26-8PM')
    const clients = await readers()

    await desk.addMemo('12-02-26-10AM', { title: 'Also in a draft' })
    await desk.addMemo('12-01-26-8PM', { title: 'Live at once' })

    for (const client of clients) {
      await client.receive(1)
      expect(client.titles()).toEqual(['Live at once'])
    }
  })

  it('contains the longest memo, beyond the 8,000 bytes of a database notification', async () => {
    await desk.draft('12-02-26-3PM')
    const memo_content = `<p>${'é'.repeat(limits.memoContentCharacters - 7)}</p>`
    await desk.addMemo('12-02-26-3PM', { memo_content })
    const clients = await readers()

    await desk.publish('12-02-26-3PM')

    for (const client of clients) {
      await client.receive(1)
      expect(client.frames[0]?.data.memo_content).toBe(memo_content)
    }
  })

  it('is sent again for an edition that is unpublished and published again', async () => {
    await desk.draft('12-02-26-8PM', ['News'])
    const clients = await readers()
    const { version } = await desk.publish('12-02-26-8PM')
    for (const client of clients) await client.receive(1)
    await desk.call('PUT', '/editions/12-02-26-8PM', { body: { status: 'draft' }, ifMatch: `"${version}"` })

    await desk.publish('12-02-26-8PM')

    for (const client of clients) {
      await client.receive(2)
      expect(client.titles()).toEqual(['News', 'News'])
    }
  })
})

describe('/socket', () => {
  it.each([
    ['no pass', {}],
    ['a forged pass', { cookie: 'tidings_gate=1795218736362_x.forged' }],
  ])('refuses a caller with %s', async (_what, headers) => {
    const { status, body } = await requestUpgrade('/socket', headers)

    expect({ status, code: JSON.parse(body).error.code }).toEqual({ status: 401, code: 'gate-required' })
  })

  it.each(['https://evil.example', 'null', 'http://localhost.evil.example', ''])(
    'refuses a page of the origin %j, even with a pass',
    async (origin) => {
      const { status, body } = await requestUpgrade('/socket', { cookie: one.pass, origin })

      expect({ status, code: JSON.parse(body).error.code }).toEqual({
        status: 403,
        code: 'origin-not-permitted',
      })
    },
  )

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://localhost:5173'])(
    'accepts a page of the origin %s in development',
    async (origin) => {
      const client = await connectLive(String(urls[0]), { cookie: one.pass, origin })

      expect(client.socket.readyState).toBe(WebSocket.OPEN)
    },
  )

  it('responds to a plain GET with 426 and an Upgrade header', async () => {
    const reply = await one.app.inject({ url: '/socket', headers: { cookie: one.pass } })

    expect(refusalOf(reply)).toMatchObject({ status: 426, code: 'upgrade-required' })
    expect(reply.headers.upgrade).toBe('websocket')
  })

  it.each([
    ['/', 404],
    ['/edition/prod/12-01-26-10AM', 404],
    ['/healthz', 404],
    ['/desk/v1/editions', 404],
    ['/nothing', 404],
  ])('is the only path with an upgrade: %s has none', async (path, status) => {
    const reply = await requestUpgrade(path, { cookie: one.pass })

    expect(reply.status).not.toBe(101)
    expect([status, 401]).toContain(reply.status)
    expect(JSON.parse(reply.body)).toEqual({
      error: { code: expect.any(String), message: expect.any(String) },
    })
  })

  it.each([
    ['text', '{"event":"NEW_MEMO"}'],
    ['bytes', Buffer.from([1, 2, 3])],
    ['an empty frame', ''],
  ])('closes a connection that sends %s, and forwards nothing', async (_what, data) => {
    const [client, bystander] = await readers()

    client?.socket.send(data)

    expect((await client?.closed)?.code).toBe(1008)
    expect(bystander?.frames).toEqual([])
    expect(bystander?.socket.readyState).toBe(WebSocket.OPEN)
  })

  it('closes a connection that sends too much', async () => {
    const [client] = await readers()

    client?.socket.send('x'.repeat(1_000_000))

    expect([1006, 1008, 1009]).toContain((await client?.closed)?.code)
  })
})

describe('the heartbeat', () => {
  it('keeps sockets that send a pong and drops the others at the second ping', async () => {
    const living = await connectLive(String(urls[0]), { cookie: one.pass })
    const dead = await connectLive(String(urls[0]), { cookie: one.pass, autoPong: false })
    const pinged = Promise.all(
      [living, dead].map(
        ({ socket }) => new Promise<void>((resolve) => socket.once('ping', () => resolve())),
      ),
    )
    const { subscribers } = one.context
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

  it('drops a socket that reads nothing, once its buffer is too large', async () => {
    const slow = await connectLive(String(urls[0]), { cookie: one.pass })
    const quick = await connectLive(String(urls[0]), { cookie: one.pass })
    slow.socket.pause()
    quick.socket.removeAllListeners('message')
    const { subscribers, metrics } = one.context
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

it('a network has at most LIVE_SOCKETS_PER_NETWORK sockets, and a new one after one closes', async () => {
  const site = await useTestApp({ env: { LIVE_SOCKETS_PER_NETWORK: '2', TRUST_PROXY: 'on' } })
  const url = await site.listen()
  const ask = (network: string) => connectLive(url, { cookie: site.pass, from: network })
  const [first] = [await ask('2001:db8::1'), await ask('2001:db8::2')]
  await expect(ask('2001:db8::3')).rejects.toThrow('429')
  await ask('203.0.113.7')
  first?.socket.close()
  await vi.waitFor(() => expect(site.context.subscribers.size).toBe(2), waitOptions)
  await ask('2001:db8::3')
})
