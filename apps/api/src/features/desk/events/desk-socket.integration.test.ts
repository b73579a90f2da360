import { describe, expect, vi } from 'vitest'
import { WebSocket } from 'ws'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { metricValue } from '#test/metric-values.ts'
import { connectDesk } from '#test/sockets/desk-socket.ts'
import { startTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'

const memo = '0193a000-0000-7000-8000-000000000001'

const it = siteTest().extend('urls', { scope: 'file' }, async ({ site, otherProcess }) => [
  await site.listen(),
  await otherProcess.listen(),
])

describe('GET /desk/socket', () => {
  it.for([
    ['no key', {}, '401'],
    ['an unknown key', { authorization: 'Bearer tdk_unknown' }, '401'],
    ['a gate pass only', { cookie: 'tidings_gate=x' }, '401'],
  ] as const)('refuses %s', async ([_what, options, status], { urls }) => {
    await expect(connectDesk(String(urls[0]), options)).rejects.toThrow(status)
  })

  it('refuses a key without the scope read', async ({ urls, desk }) => {
    const { as: authorization } = await desk.keyWith('write', 'publish')

    await expect(connectDesk(String(urls[0]), { authorization })).rejects.toThrow('403')
  })

  it.for(['https://evil.example', 'null', ''])('refuses the origin %j', async (origin, { urls, site }) => {
    await expect(connectDesk(String(urls[0]), { authorization: site.editor, origin })).rejects.toThrow('403')
  })

  it('accepts a key without an origin and from the site itself', async ({ urls, site }) => {
    const authorization = site.editor
    const script = await connectDesk(String(urls[0]), { authorization })
    const page = await connectDesk(String(urls[0]), { authorization, origin: 'http://localhost:3000' })

    expect([script.socket.readyState, page.socket.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN])
  })

  it('is counted in the metrics while it is open', async () => {
    const site = await startTestApp({ databaseUrl: await createTestDatabase(), working: false })
    const url = await site.listen()
    const countOpen = () => metricValue(site.context.metrics, 'tidings_desk_sockets')
    expect(await countOpen()).toBe(0)

    const client = await connectDesk(url, { authorization: site.editor })
    await connectDesk(url, { authorization: site.editor })
    expect(await countOpen()).toBe(2)
    client.socket.close()
    await vi.waitFor(async () => expect(await countOpen()).toBe(1), waitOptions)
    await site.close()
  })

  it('responds to a plain GET with 426', async ({ site }) => {
    const reply = await site.app.inject({ url: '/desk/socket', headers: { authorization: site.editor } })

    expect(refusalOf(reply)).toMatchObject({ status: 426, code: 'upgrade-required' })
    expect(reply.headers.upgrade).toBe('websocket')
  })

  it('opens 20 sockets for one editor, and no more', async ({ urls, desk }) => {
    const { as: authorization } = await desk.keyWith('read')
    for (let count = 0; count < 20; count += 1) await connectDesk(String(urls[0]), { authorization })

    await expect(connectDesk(String(urls[0]), { authorization })).rejects.toThrow('429')
  })

  it.for([
    ['text that is no JSON', 'hello'],
    ['bytes', Buffer.from([1, 2, 3])],
    ['an unknown type', '{"type":"saved","memo":null}'],
    ['a memo that is no id', '{"type":"presence","memo":"1"}'],
    ['no memo', '{"type":"presence"}'],
    ['another key', `{"type":"presence","memo":"${memo}","name":"Anna"}`],
    ['nothing', ''],
  ] as const)('closes for %s', async ([_what, message], { urls, site }) => {
    const client = await connectDesk(String(urls[0]), { authorization: site.editor })

    client.socket.send(message)

    expect(await client.closed).toEqual({ code: 1008, reason: 'invalid message' })
  })

  it('closes for a message of more than 1,024 bytes, and for a flood', async ({ urls, site }) => {
    const large = await connectDesk(String(urls[0]), { authorization: site.editor })
    const fast = await connectDesk(String(urls[0]), { authorization: site.editor })

    large.socket.send('x'.repeat(1025))
    for (let count = 0; count < 31; count += 1) fast.enter(memo)

    expect((await large.closed).code).toBe(1009)
    expect(await fast.closed).toEqual({ code: 1008, reason: 'too many messages' })
  })

  it('closes when its key is revoked, in every process, and no other', async ({ urls, site, desk }) => {
    const { as: authorization, name } = await desk.keyWith('read')
    const [first, second] = await Promise.all(urls.map((url) => connectDesk(url, { authorization })))
    const other = await connectDesk(String(urls[0]), { authorization: site.editor })

    await site.context.editorKeys.revoke(name)

    expect(await first?.closed).toEqual({ code: 1008, reason: 'no access' })
    expect(await second?.closed).toEqual({ code: 1008, reason: 'no access' })
    expect(other.socket.readyState).toBe(WebSocket.OPEN)
  })

  it('closes at the next check once its key has ended without a word', async ({ urls, site, desk }) => {
    const { as: authorization, name } = await desk.keyWith('read')
    const client = await connectDesk(String(urls[0]), { authorization })
    await site.context.database.db.editorKey.updateMany({
      where: { name },
      data: { revokedAt: site.clock.now() },
    })

    await site.context.deskEvents.checkAccess()

    expect(await client.closed).toEqual({ code: 1008, reason: 'no access' })
  })

  it('ignores an event that it does not know, as of a newer process', async ({ urls, site, desk }) => {
    const client = await connectDesk(String(urls[0]), { authorization: site.editor })
    const { pool } = site.context.database
    await pool.query(`SELECT pg_notify('tidings_desk_events', '{"type":"later","text":"x"}')`)
    const { key } = await desk.newDraft()

    await desk.publish(key)

    await vi.waitFor(() => expect(client.of('edition')).toHaveLength(1), waitOptions)
    expect(JSON.stringify(client.frames)).not.toContain('later')
  })

  it('is dropped when it reads nothing, and others stay', async ({ urls, site }) => {
    const slow = await connectDesk(String(urls[0]), { authorization: site.editor })
    const quick = await connectDesk(String(urls[0]), { authorization: site.editor })
    slow.socket.pause()
    quick.socket.removeAllListeners('message')
    const { sockets } = site.context.deskEvents
    const before = sockets.size
    const frame = JSON.stringify({ padding: 'x'.repeat(250_000) })

    await vi.waitFor(() => {
      sockets.broadcast(frame)
      expect(sockets.size).toBe(before - 1)
    }, waitOptions)

    expect(quick.socket.readyState).toBe(WebSocket.OPEN)
  })

  it('is dropped at the second ping without a pong', async ({ urls, site }) => {
    const living = await connectDesk(String(urls[0]), { authorization: site.editor })
    const dead = await connectDesk(String(urls[0]), { authorization: site.editor, autoPong: false })
    const { sockets } = site.context.deskEvents
    const heard = vi.spyOn(sockets, 'onPong')

    sockets.pingAll()
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), waitOptions)
    sockets.pingAll()

    expect((await dead.closed).code).toBe(1006)
    expect(living.socket.readyState).toBe(WebSocket.OPEN)
    heard.mockRestore()
  })
})

describe('the shutdown of a process', () => {
  it('closes its open desks with 1012, and waits for none of them', async () => {
    const ending = await startTestApp({ databaseUrl: await createTestDatabase() })
    const url = await ending.listen()
    const client = await connectDesk(url, { authorization: ending.editor })
    const slow = await connectDesk(url, { authorization: ending.editor })
    slow.socket.pause()

    await ending.close()

    expect(await client.closed).toEqual({ code: 1012, reason: 'the server restarts' })
  })
})
