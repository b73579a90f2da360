import { likeMemoReply } from '@tidings/contracts/likes'
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

/** A published memo that no other test knows. */
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

  it('remembers the reader by a cookie that no script reads, for a year', async () => {
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

  it('sends the cookie encrypted only where the site is served by HTTPS', async () => {
    const secure = await useTestApp({ env: { SITE_URL: 'https://news.example.com' } })
    const reply = await createBrowser(secure).like(await publishedMemo(secure))
    expect(reply.cookies[0]).toMatchObject({ name: readerCookie, secure: true })
  })

  it('takes the like back', async () => {
    const id = await publishedMemo()
    const browser = createBrowser()
    await browser.like(id)
    const reply = await browser.like(id, false)
    expect(reply.json()).toEqual({ id, counter: 0 })
    expect(await countLikes(id)).toBe(0)
  })

  it('changes nothing when it is repeated, either way', async () => {
    const id = await publishedMemo()
    const browser = createBrowser()
    const counters: number[] = []
    for (const add of [true, true, true, false, false, false, true]) {
      counters.push((await browser.like(id, add)).json().counter)
    }
    expect(counters).toEqual([1, 1, 1, 0, 0, 0, 1])
    expect(await countLikes(id)).toBe(1)
  })

  it('takes nothing back from others', async () => {
    const id = await publishedMemo()
    await createBrowser().like(id)
    const reply = await createBrowser().like(id, false)
    expect(reply.json()).toEqual({ id, counter: 1 })
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it('counts two readers as two', async () => {
    const id = await publishedMemo()
    await createBrowser().like(id)
    expect((await createBrowser().like(id)).json().counter).toBe(2)
    expect(await countLikes(id)).toBe(2)
  })

  it('counts a thousand likes of one reader at once as one', async () => {
    const id = await publishedMemo()
    const browser = createBrowser()
    await browser.like(id, false)
    const replies = await Promise.all(Array.from({ length: 1000 }, () => browser.like(id)))
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(new Set(replies.map((reply) => reply.json().counter))).toEqual(new Set([1]))
    expect(await countLikes(id)).toBe(1)
  })

  it('counts a hundred readers at once as a hundred, some of whom change their minds', async () => {
    const id = await publishedMemo()
    await Promise.all(
      Array.from({ length: 100 }, async (_reader, index) => {
        const browser = createBrowser()
        await browser.like(id)
        if (index % 4 === 0) await browser.like(id, false)
      }),
    )
    expect(await countLikes(id)).toBe(75)
  })

  it('stays consistent while one reader likes and unlikes at the same time', async () => {
    const id = await publishedMemo()
    const browser = createBrowser()
    await browser.like(id)
    await Promise.all(Array.from({ length: 60 }, (_call, index) => browser.like(id, index % 2 === 0)))
    expect([0, 1]).toContain(await countLikes(id))
  })

  it('counts a client that keeps nothing but its gate pass once', async () => {
    const id = await publishedMemo()
    const browser = createBrowser(site, { forgets: true })
    for (let times = 0; times < 5; times += 1) expect((await browser.like(id)).json().counter).toBe(1)
    expect((await browser.like(id, false)).json().counter).toBe(0)
  })

  it('knows the reader again behind a new gate pass', async () => {
    const id = await publishedMemo()
    const browser = createBrowser()
    await browser.like(id)
    browser.cookies.set('tidings_gate', site.context.gatePass.issue())
    expect((await browser.like(id)).json().counter).toBe(1)
  })

  it.each([
    ['made up', unknownId],
    ['signed by nobody', `${unknownId}.c2lnbmF0dXJl`],
    ['hostile', "' OR 1=1 --"],
    ['broken', '%zz'],
  ])('takes a reader cookie that is %s for none', async (_name, value) => {
    const id = await publishedMemo()
    const browser = createBrowser()
    browser.cookies.set(readerCookie, value)
    const reply = await browser.like(id)
    expect(reply.json()).toEqual({ id, counter: 1 })
    expect(reply.cookies[0]?.name).toBe(readerCookie)
    expect(await site.context.database.db.memoLike.count({ where: { readerId: unknownId } })).toBe(0)
  })

  it('takes no cookie of one reader changed into that of another', async () => {
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

  it.each([[true], [false]])('knows no memo that does not exist (add: %s)', async (add) => {
    const reply = await createBrowser().like(unknownId, add)
    expect(reply.statusCode).toBe(404)
    expect(reply.json().error.code).toBe('memo-not-found')
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it.each([[true], [false]])('knows no memo of a draft (add: %s)', async (add) => {
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

  it('is behind the gate, whatever cookie of a reader comes along', async () => {
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

  it('makes an address wait that brings too many new readers; those it knows may go on', async () => {
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

  it('lets a client with only a gate pass remove its like, whatever other clients of its address did', async () => {
    const limited = await useTestApp({ env: { RATE_NEW_READERS_PER_HOUR: '2' } })
    const id = await publishedMemo(limited)
    const forgetful = createBrowser(limited, { forgets: true })
    await forgetful.like(id)
    await createBrowser(limited).like(id)
    const reply = await forgetful.like(id, false)
    expect([reply.statusCode, reply.json().counter]).toEqual([200, 1])
  })

  it('works where there is no gate: the reader is known by the cookie', async () => {
    const open = await useTestApp({ env: { SITE_GATE: 'off' } })
    const id = await publishedMemo(open)
    const browser = createBrowser(open)
    browser.cookies.clear()
    await browser.like(id)
    expect((await browser.like(id)).json().counter).toBe(1)
    expect((await browser.like(id, false)).json().counter).toBe(0)
  })
})
