import { likeMemoReply } from '@tidings/contracts/editions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readerCookie } from '#http/reader-session.ts'
import { draftEdition, publishedEdition } from '#test/factories/editions.ts'
import { startTestApp, type TestApp, useTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

const unknownId = '0199a1f4-1111-7abc-8def-0123456789ab'

let site: TestApp
let nextDay = 1
beforeAll(async () => {
  site = await startTestApp({
    databaseUrl: await createTestDatabase(),
    env: { RATE_NEW_READERS_PER_HOUR: '100000' },
  })
})
afterAll(() => site.close())

/** Publishes an edition and returns the id of its memo. */
async function publishedMemo({ context }: TestApp = site): Promise<string> {
  const day = String(nextDay).padStart(2, '0')
  nextDay += 1
  const { memos } = await publishedEdition(context, `10-${day}-26-10AM`, 1)
  return memos[0]?.id ?? ''
}

/** A browser with a gate pass that stores cookies, unless `forgets`. */
function createBrowser({ app, context }: TestApp = site, { forgets = false } = {}) {
  const cookies = new Map([['tidings_gate', context.gatePass.issue()]])
  return {
    cookies,
    async like(id: unknown, add: unknown = true) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const reply = await app.inject({
        method: 'POST',
        url: '/edition/update_counter',
        headers: { cookie },
        payload: { id, add },
      })
      for (const { name, value } of reply.cookies) if (!forgets) cookies.set(name, value)
      return reply
    },
  }
}

/** Returns the memo's like count, after checking it against the stored likes. */
async function countLikes(id: string, { context }: TestApp = site): Promise<number> {
  const { likeCount } = await context.database.db.memo.findUniqueOrThrow({ where: { id } })
  expect(await context.database.db.memoLike.count({ where: { memoId: id } })).toBe(likeCount)
  return likeCount
}

describe('POST /edition/update_counter', () => {
  it('counts a like and returns the new number', async () => {
    const id = await publishedMemo()
    const reply = await createBrowser().like(id)
    expect(reply.statusCode).toBe(200)
    expect(z.strictObject(likeMemoReply.shape).parse(reply.json())).toEqual({ id, counter: 1 })
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(await countLikes(id)).toBe(1)
  })

  it('sets an HttpOnly reader cookie for a year', async () => {
    const reply = await createBrowser().like(await publishedMemo())
    const [cookie] = reply.cookies
    expect(cookie).toMatchObject({
      name: readerCookie,
      httpOnly: true,
      path: '/',
      sameSite: 'Lax',
      maxAge: 365 * 24 * 3600,
    })
    expect(cookie).not.toHaveProperty('secure')
  })

  it('sets a Secure cookie on an HTTPS site', async () => {
    const secure = await useTestApp({ env: { SITE_URL: 'https://news.example.com' } })
    const reply = await createBrowser(secure).like(await publishedMemo(secure))
    expect(reply.cookies[0]).toMatchObject({ name: readerCookie, secure: true })
  })

  it('takes a like back', async () => {
    const id = await publishedMemo()
    const browser = createBrowser()
    await browser.like(id)
    const reply = await browser.like(id, false)
    expect(reply.json()).toEqual({ id, counter: 0 })
    expect(await countLikes(id)).toBe(0)
  })

  it('changes nothing when a like or its removal is repeated', async () => {
    const id = await publishedMemo()
    const browser = createBrowser()
    const counters: number[] = []
    for (const add of [true, true, true, false, false, false, true]) {
      counters.push((await browser.like(id, add)).json().counter)
    }
    expect(counters).toEqual([1, 1, 1, 0, 0, 0, 1])
    expect(await countLikes(id)).toBe(1)
  })

  it('does not take back the like of another reader', async () => {
    const id = await publishedMemo()
    await createBrowser().like(id)
    const reply = await createBrowser().like(id, false)
    expect(reply.json()).toEqual({ id, counter: 1 })
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it('counts the likes of two readers', async () => {
    const id = await publishedMemo()
    await createBrowser().like(id)
    expect((await createBrowser().like(id)).json().counter).toBe(2)
    expect(await countLikes(id)).toBe(2)
  })

  it('counts 60 concurrent likes of one reader once', async () => {
    const id = await publishedMemo()
    const browser = createBrowser()
    await browser.like(id, false)
    const replies = await Promise.all(Array.from({ length: 60 }, () => browser.like(id)))
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(new Set(replies.map((reply) => reply.json().counter))).toEqual(new Set([1]))
    expect(await countLikes(id)).toBe(1)
  })

  it('counts 40 concurrent readers, some of whom take the like back', async () => {
    const id = await publishedMemo()
    await Promise.all(
      Array.from({ length: 40 }, async (_reader, index) => {
        const browser = createBrowser()
        await browser.like(id)
        if (index % 4 === 0) await browser.like(id, false)
      }),
    )
    expect(await countLikes(id)).toBe(30)
  })

  it('stays consistent while one reader likes and unlikes at the same time', async () => {
    const id = await publishedMemo()
    const browser = createBrowser()
    await browser.like(id)
    await Promise.all(Array.from({ length: 30 }, (_call, index) => browser.like(id, index % 2 === 0)))
    expect([0, 1]).toContain(await countLikes(id))
  })

  it('counts a client without a reader cookie once per gate pass', async () => {
    const id = await publishedMemo()
    const browser = createBrowser(site, { forgets: true })
    for (let times = 0; times < 5; times += 1) expect((await browser.like(id)).json().counter).toBe(1)
    expect((await browser.like(id, false)).json().counter).toBe(0)
  })

  it('recognizes the reader with a new gate pass', async () => {
    const id = await publishedMemo()
    const browser = createBrowser()
    await browser.like(id)
    browser.cookies.set('tidings_gate', site.context.gatePass.issue())
    expect((await browser.like(id)).json().counter).toBe(1)
  })

  it.each([
    ['made up', unknownId],
    ['forged', `${unknownId}.c2lnbmF0dXJl`],
    ['hostile', "' OR 1=1 --"],
    ['broken', '%zz'],
  ])('replaces a reader cookie that is %s', async (_name, value) => {
    const id = await publishedMemo()
    const browser = createBrowser()
    browser.cookies.set(readerCookie, value)
    const reply = await browser.like(id)
    expect(reply.json()).toEqual({ id, counter: 1 })
    expect(reply.cookies[0]?.name).toBe(readerCookie)
    expect(await site.context.database.db.memoLike.count({ where: { readerId: unknownId } })).toBe(0)
  })

  it('ignores a reader cookie with a changed id', async () => {
    const id = await publishedMemo()
    const browser = createBrowser()
    await browser.like(id)
    const own = browser.cookies.get(readerCookie) ?? ''
    for (let digit = 0; digit < 10; digit += 1) {
      browser.cookies.set(readerCookie, `${digit}${own.slice(1)}`)
      await browser.like(id)
    }
    expect(await countLikes(id)).toBe(1)
  })

  it.each([[true], [false]])('returns 404 for an unknown memo (add: %s)', async (add) => {
    const reply = await createBrowser().like(unknownId, add)
    expect(reply.statusCode).toBe(404)
    expect(reply.json().error.code).toBe('memo-not-found')
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it.each([[true], [false]])('returns 404 for a memo of a draft (add: %s)', async (add) => {
    const { memos } = await draftEdition(site.context, `09-0${add ? 1 : 2}-26-10AM`, 1)
    const id = memos[0]?.id ?? ''
    const reply = await createBrowser().like(id, add)
    expect(reply.statusCode).toBe(404)
    expect(reply.json().error.code).toBe('memo-not-found')
    expect(await countLikes(id)).toBe(0)
  })

  it.each([
    [{}, 'id'],
    [{ id: unknownId }, 'add'],
    [{ id: 'x', add: true }, 'id'],
    [{ id: unknownId, add: 'yes' }, 'add'],
    [{ id: unknownId, add: 1 }, 'add'],
    [{ id: [unknownId], add: true }, 'id'],
    [{ id: `${unknownId}'; DROP TABLE memo_like; --`, add: true }, 'id'],
  ])('refuses %j and names the field', async (payload, field) => {
    const reply = await site.app.inject({
      method: 'POST',
      url: '/edition/update_counter',
      headers: { cookie: site.pass },
      payload,
    })
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error.code).toBe('invalid-request')
    expect(reply.json().error.message).toContain(field)
  })

  it('needs a gate pass, even with a reader cookie', async () => {
    const id = await publishedMemo()
    const cookie = `${readerCookie}=${site.context.readers.write(unknownId)}`
    const reply = await site.app.inject({
      method: 'POST',
      url: '/edition/update_counter',
      headers: { cookie },
      payload: { id, add: true },
    })
    expect(reply.statusCode).toBe(401)
    expect(reply.json().error.code).toBe('gate-required')
    expect(await countLikes(id)).toBe(0)
  })

  it('limits new readers per IP address, while known readers can continue', async () => {
    const limited = await useTestApp({ env: { RATE_NEW_READERS_PER_HOUR: '3' } })
    const id = await publishedMemo(limited)
    const known = createBrowser(limited)
    await known.like(id)
    for (let readers = 0; readers < 2; readers += 1) await createBrowser(limited).like(id)
    const refused = await createBrowser(limited).like(id)
    expect(refused.statusCode).toBe(429)
    expect(refused.json().error.code).toBe('too-many-requests')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect((await known.like(id, false)).json().counter).toBe(2)
    expect((await known.like(id)).json().counter).toBe(3)
    expect(await countLikes(id, limited)).toBe(3)
  })

  it('accepts every counted like under concurrency', async () => {
    const limited = await useTestApp({ env: { RATE_NEW_READERS_PER_HOUR: '3' } })
    const id = await publishedMemo(limited)
    const replies = await Promise.all(Array.from({ length: 20 }, () => createBrowser(limited).like(id)))
    const counted = replies.filter(({ statusCode }) => statusCode === 200)
    expect(await countLikes(id, limited)).toBe(counted.length)
    expect((await createBrowser(limited).like(id)).statusCode).toBe(429)
  })

  it('lets a client with only a gate pass remove its like when its IP address is limited', async () => {
    const limited = await useTestApp({ env: { RATE_NEW_READERS_PER_HOUR: '2' } })
    const id = await publishedMemo(limited)
    const forgetful = createBrowser(limited, { forgets: true })
    await forgetful.like(id)
    await createBrowser(limited).like(id)
    const reply = await forgetful.like(id, false)
    expect([reply.statusCode, reply.json().counter]).toEqual([200, 1])
  })

  it('recognizes the reader by the cookie when the gate is off', async () => {
    const open = await useTestApp({ env: { SITE_GATE: 'off' } })
    const id = await publishedMemo(open)
    const browser = createBrowser(open)
    browser.cookies.clear()
    await browser.like(id)
    expect((await browser.like(id)).json().counter).toBe(1)
    expect((await browser.like(id, false)).json().counter).toBe(0)
  })
})
