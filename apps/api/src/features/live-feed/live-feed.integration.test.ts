import { connect } from 'node:net'
import { limits } from '@tidings/contracts/limits'
import { describe, expect } from 'vitest'
import { WebSocket } from 'ws'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { connectLive } from '#test/live-client.ts'

const openingHandshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

const it = siteTest()
  .extend('urls', { scope: 'file' }, async ({ site, otherProcess }) => [
    await site.listen(),
    await otherProcess.listen(),
  ])
  /** Connects a reader to each process. */
  .extend('connectReaders', { scope: 'file' }, ({ site, urls }) => async () => {
    return await Promise.all(urls.map((url) => connectLive(url, { cookie: site.pass })))
  })

/** Sends a raw upgrade request; returns the status and body of the response. */
function requestUpgrade(
  url: URL,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const lines = Object.entries({ host: url.host, ...openingHandshake, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    const socket = connect({ host: url.hostname, port: Number(url.port) }, () =>
      socket.write(`GET ${url.pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
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
  it('is sent for each memo in order, to readers on every process, when an edition is published', async ({
    desk,
    connectReaders,
  }) => {
    await desk.draft('12-01-26-10AM', ['One', 'Two', 'Three', 'Four'])
    const clients = await connectReaders()

    await desk.publish('12-01-26-10AM')

    for (const client of clients) {
      await client.receive(4)
      expect(client.titles()).toEqual(['One', 'Two', 'Three', 'Four'])
    }
  })

  it('contains the memo, its date, its slot and its position', async ({ desk, connectReaders }) => {
    await desk.draft('12-01-26-3PM')
    const memo = await desk.addMemo('12-01-26-3PM', {
      title: 'A title',
      source: 'https://example.com/',
      media_title: 'Caption',
      media_text: 'Text',
    })
    const clients = await connectReaders()

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
          position: 1,
        },
      },
    ])
  })

  it('contains the alt text and focal point that an editor chose', async ({ site, desk, connectReaders }) => {
    const media = `${'e'.repeat(26)}.jpg`
    await site.context.database.db.media.create({ data: { file: media, width: 1, height: 1, bytes: 1 } })
    const { key } = await desk.newDraft()
    await desk.addMemo(key, { media, media_alt: 'A pier', media_focus: { x: 0, y: 1 } })
    const clients = await connectReaders()

    await desk.publish(key)

    for (const client of clients) await client.receive(1)
    expect(clients[0]?.frames).toMatchObject([
      { event: 'NEW_MEMO', data: { media_alt: 'A pier', media_focus: { x: 0, y: 1 } } },
    ])
  })

  it('is sent for a memo added to a published edition, and not for one added to a draft', async ({
    desk,
    connectReaders,
  }) => {
    await desk.draft('12-01-26-8PM')
    await desk.draft('12-02-26-10AM', ['In a draft'])
    await desk.publish('12-01-26-8PM')
    const clients = await connectReaders()

    await desk.addMemo('12-02-26-10AM', { title: 'Also in a draft' })
    await desk.addMemo('12-01-26-8PM', { title: 'Live at once' })

    for (const client of clients) {
      await client.receive(1)
      expect(client.titles()).toEqual(['Live at once'])
    }
  })

  it('contains the longest memo, beyond the 8,000 bytes of a database notification', async ({
    desk,
    connectReaders,
  }) => {
    await desk.draft('12-02-26-3PM')
    const memo_content = `<p>${'é'.repeat(limits.memoContentCharacters - 7)}</p>`
    await desk.addMemo('12-02-26-3PM', { memo_content })
    const clients = await connectReaders()

    await desk.publish('12-02-26-3PM')

    for (const client of clients) {
      await client.receive(1)
      expect(client.frames[0]?.data).toMatchObject({ memo_content })
    }
  })

  it('is sent again for an edition that is unpublished and published again', async ({
    desk,
    connectReaders,
  }) => {
    await desk.draft('12-02-26-8PM', ['News'])
    const clients = await connectReaders()
    const { version } = await desk.publish('12-02-26-8PM')
    for (const client of clients) await client.receive(1)
    await desk.call('PUT', '/editions/12-02-26-8PM', { body: { status: 'draft' }, ifMatch: `"${version}"` })

    await desk.publish('12-02-26-8PM')

    for (const client of clients) {
      await client.receive(3)
      expect(client.titles()).toEqual(['News', 'News'])
    }
  })
})

describe('/socket', () => {
  it.for([
    ['no pass', {}],
    ['a forged pass', { cookie: 'tidings_gate=1795218736362_x.forged' }],
  ] as const)('refuses a caller with %s', async ([_what, headers], { urls }) => {
    const { status, body } = await requestUpgrade(new URL('/socket', urls[0]), headers)

    expect({ status, code: JSON.parse(body).error.code }).toEqual({ status: 401, code: 'gate-required' })
  })

  it.for(['https://evil.example', 'null', 'http://localhost.evil.example', ''])(
    'refuses a page of the origin %j, even with a pass',
    async (origin, { site, urls }) => {
      const { status, body } = await requestUpgrade(new URL('/socket', urls[0]), {
        cookie: site.pass,
        origin,
      })

      expect({ status, code: JSON.parse(body).error.code }).toEqual({
        status: 403,
        code: 'origin-not-permitted',
      })
    },
  )

  it.for(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://localhost:5173'])(
    'accepts a page of the origin %s in development',
    async (origin, { site, urls }) => {
      const client = await connectLive(String(urls[0]), { cookie: site.pass, origin })

      expect(client.socket.readyState).toBe(WebSocket.OPEN)
    },
  )

  it('responds to a plain GET with 426 and an Upgrade header', async ({ site }) => {
    const reply = await site.app.inject({ url: '/socket', headers: { cookie: site.pass } })

    expect(refusalOf(reply)).toMatchObject({ status: 426, code: 'upgrade-required' })
    expect(reply.headers.upgrade).toBe('websocket')
  })

  it.for([
    ['/', 404],
    ['/edition/prod/12-01-26-10AM', 404],
    ['/healthz', 404],
    ['/desk/v1/editions', 404],
    ['/nothing', 404],
  ] as const)('is the only path with an upgrade: %s has none', async ([path, status], { site, urls }) => {
    const reply = await requestUpgrade(new URL(path, urls[0]), { cookie: site.pass })

    expect(reply.status).not.toBe(101)
    expect([status, 401]).toContain(reply.status)
    expect(JSON.parse(reply.body)).toEqual({
      error: { code: expect.any(String), message: expect.any(String) },
    })
  })

  it.for([
    ['text', '{"event":"NEW_MEMO"}'],
    ['bytes', Buffer.from([1, 2, 3])],
    ['an empty frame', ''],
  ] as const)(
    'closes a connection that sends %s, and forwards nothing',
    async ([_what, data], { connectReaders }) => {
      const [client, bystander] = await connectReaders()

      client?.socket.send(data)

      expect((await client?.closed)?.code).toBe(1008)
      expect(bystander?.frames).toEqual([])
      expect(bystander?.socket.readyState).toBe(WebSocket.OPEN)
    },
  )

  it('closes a connection that sends too much', async ({ connectReaders }) => {
    const [client] = await connectReaders()

    client?.socket.send('x'.repeat(1_000_000))

    expect([1006, 1008, 1009]).toContain((await client?.closed)?.code)
  })
})
