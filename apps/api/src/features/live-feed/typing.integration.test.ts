import { describe, expect } from 'vitest'
import { WebSocket } from 'ws'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { refusalOf } from '#test/desk.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { siteTest } from '#test/fixtures.ts'
import { connectChannel, type LiveClientOptions } from '#test/live-client.ts'
import type { TestMember } from '#test/membership.ts'

const partner = 'https://partner.example'
const stranger = 'https://stranger.example'
const otherApp = { id: 'app_other', publicKey: 'pk_other', page: 'https://other.example' }

const it = siteTest({ env: { ALLOWED_ORIGINS: partner } })
  .extend('urls', { scope: 'file' }, async ({ site, otherProcess }) => [
    await site.listen(),
    await otherProcess.listen(),
  ])
  .extend('talk', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend('ann', { scope: 'file' }, ({ members }) =>
    members.signUp({
      email: 'ann.secret@example.com',
      customFields: { name: 'Ann', phone: '+14155550123' },
    }),
  )
  .extend('ben', { scope: 'file' }, ({ members }) => members.signUp({ customFields: { name: 'Ben' } }))
  .extend('type', { scope: 'file' }, ({ talk }) => async (writer: TestMember, channelKey: string) => {
    const reply = await talk.write(writer, 'POST', '/posts/typing', { channelKey })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ data: { success: true } })
  })
  /** Connects a reader with a pass to a channel of the first process, or of the second site. */
  .extend('enter', { scope: 'file' }, ({ site, urls }) => {
    return async (channel: string, options: LiveClientOptions = {}, process: 0 | 1 = 0) =>
      await connectChannel(String(urls[process]), { channel }, { cookie: site.pass, ...options })
  })
  /** Returns the status and code of a refused socket. */
  .extend('refusal', { scope: 'file' }, ({ site }) => {
    return async (query: string, headers: Record<string, string>) => {
      const { status, code } = refusalOf(await site.app.inject({ url: `/socket?${query}`, headers }))
      return `${status} ${code}`
    }
  })

it.beforeAll(async ({ site }) => {
  const { page, ...app } = otherApp
  await addApp(site, { ...app, allowedOrigins: [page] })
})
// Typing events are throttled, so each test moves the clock.
it.beforeEach(({ site }) => site.clock.pass(60_000))

describe('TYPING', () => {
  it("reaches the channel's readers on every process", async ({ ann, type, enter }) => {
    const clients = [await enter('page'), await enter('page', {}, 1), await enter('page')]

    await type(ann, 'page')

    for (const client of clients) {
      await client.receive(1)
      expect(client.frames).toEqual([
        {
          event: 'TYPING',
          data: {
            channelKey: 'page',
            member: { id: ann.memberId, customFields: { name: 'Ann' }, profileImage: null },
          },
        },
      ])
    }
  })

  it("reaches the app's pages without a pass, which receive no memos", async ({
    otherProcess,
    urls,
    desk,
    ben,
    type,
    enter,
  }) => {
    const withPass = await enter('memos')
    const without = await connectChannel(String(urls[1]), { channel: 'memos' }, { origin: partner })
    await desk.draft('12-03-26-10AM', ['News'])

    await desk.publish('12-03-26-10AM')
    await withPass.receive(1)
    await otherProcess.context.liveFeed.settled()
    await type(ben, 'memos')
    await Promise.all([withPass.receive(2), without.receive(1)])

    expect(withPass.frames.map(({ event }) => event)).toEqual(['NEW_MEMO', 'TYPING'])
    expect(without.frames.map(({ event }) => event)).toEqual(['TYPING'])
  })

  it('arrives without memos on a page of another site, even with a pass', async ({
    desk,
    ben,
    type,
    enter,
  }) => {
    const own = await enter('cookie', { origin: 'http://localhost:3000' })
    const foreign = await enter('cookie', { origin: partner })
    await desk.draft('12-03-26-3PM', ['News'])

    await desk.publish('12-03-26-3PM')
    await own.receive(1)
    await type(ben, 'cookie')
    await foreign.receive(1)

    expect(foreign.frames.map(({ event }) => event)).toEqual(['TYPING'])
  })

  it('stays in its channel and in its app', async ({ urls, ann, ben, type, enter }) => {
    const here = await enter('here')
    const elsewhere = await enter('elsewhere')
    const sameName = await connectChannel(
      String(urls[0]),
      { channel: 'here', publicKey: otherApp.publicKey },
      { origin: otherApp.page },
    )

    await type(ann, 'here')
    await here.receive(1)
    await type(ben, 'elsewhere')
    await elsewhere.receive(1)

    expect(here.writers()).toEqual([ann.memberId])
    expect(elsewhere.writers()).toEqual([ben.memberId])
    expect(sameName.frames).toEqual([])
  })

  it('is sent once in two seconds per member and channel, while every call succeeds', async ({
    site,
    ann,
    ben,
    type,
    enter,
  }) => {
    const client = await enter('often')

    for (let times = 0; times < 5; times += 1) await type(ann, 'often')
    site.clock.pass(2_000)
    await type(ann, 'often')
    await type(ben, 'often')
    await client.receive(3)

    expect(client.writers()).toEqual([ann.memberId, ann.memberId, ben.memberId])
  })

  it('is not sent for a member whose comments are hidden', async ({ desk, members, ben, type, enter }) => {
    const loud = await members.signUp()
    await desk.call('PATCH', `/comment-authors/${loud.memberId}`, { body: { hidden: true } })
    const client = await enter('quiet')

    await type(loud, 'quiet')
    await type(ben, 'quiet')
    await client.receive(1)

    expect(client.writers()).toEqual([ben.memberId])
  })

  it('is not sent to closed sockets', async ({ ann, type, enter }) => {
    const [left, stays] = [await enter('left'), await enter('left')]
    const gone = left.closed
    left.socket.close()
    await gone

    await type(ann, 'left')
    await stays.receive(1)

    expect(stays.writers()).toEqual([ann.memberId])
  })

  it.for(['', 'x'.repeat(201), 'a\u0000b', 5, undefined])(
    'is refused for the channel %j',
    async (channelKey, { talk, ann }) => {
      expect(refusalOf(await talk.write(ann, 'POST', '/posts/typing', { channelKey })).status).toBe(400)
    },
  )

  it.for(['x'.repeat(200), '👩‍🚀'.repeat(40), `"'\\ é <b>`])(
    'reaches the channel %s',
    async (channel, { ben, type, enter }) => {
      const client = await enter(channel)

      await type(ben, channel)
      await client.receive(1)

      expect(client.frames[0]?.data).toMatchObject({ channelKey: channel })
    },
  )
})

describe('/socket?channel=', () => {
  it.for([
    ['no pass and no page', 'channel=a', {}, '401 gate-required'],
    ['a page of an unknown origin', 'channel=a', { origin: stranger }, '403 origin-not-permitted'],
    ['a page of an opaque origin', 'channel=a', { origin: 'null' }, '403 origin-not-permitted'],
    ["another app's page", 'channel=a', { origin: otherApp.page }, '403 origin-not-permitted'],
    [
      "a page that is not the named app's",
      `channel=a&publicKey=${otherApp.publicKey}`,
      { origin: partner },
      '403 origin-not-permitted',
    ],
    ['a page of the app that names no channel', 'publicKey=pk_x', { origin: partner }, '401 gate-required'],
    ['a page of the app with an empty channel', 'channel=', { origin: partner }, '401 gate-required'],
    ['a page of the app with two channels', 'channel=a&channel=b', { origin: partner }, '401 gate-required'],
    ['an unknown app', 'channel=a&publicKey=pk_x', { origin: partner }, '404 app-not-found'],
    ["a member's token instead of a pass", 'channel=a&token=x', {}, '401 gate-required'],
  ] as const)('refuses %s', async ([_what, query, headers, expected], { refusal }) => {
    expect(await refusal(query, headers)).toBe(expected)
  })

  it.for([
    ['a page of an unknown origin', 'channel=a', { origin: stranger }, '403 origin-not-permitted'],
    ['an empty channel', 'channel=', {}, '400 invalid-request'],
    ['a channel with NUL', 'channel=a%00', {}, '400 invalid-request'],
    ['a plain GET', 'channel=a', {}, '426 upgrade-required'],
  ] as const)(
    'refuses %s, even with a pass',
    async ([_what, query, headers, expected], { site, refusal }) => {
      expect(await refusal(query, { cookie: site.pass, ...headers })).toBe(expected)
    },
  )

  it('opens a socket for a page of the app without a pass, and none for a rejected page', async ({
    urls,
  }) => {
    const client = await connectChannel(
      String(urls[0]),
      { channel: 'a', token: 'ignored' },
      { origin: partner },
    )

    expect(client.socket.readyState).toBe(WebSocket.OPEN)
    await expect(connectChannel(String(urls[0]), { channel: 'a' }, { origin: stranger })).rejects.toThrow(
      '403',
    )
    await expect(connectChannel(String(urls[0]), { channel: 'a' })).rejects.toThrow('401')
  })
})
