import { likeMemoReply } from '@tidings/contracts/editions'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { readerCookie } from '#http/sessions/reader-session.ts'
import { createBrowser, likesTest } from '#test/content/likes.ts'
import { draftEdition, publishedEdition } from '#test/factories/editions.ts'
import { useTestApp } from '#test/test-app.ts'

const unknownId = '0199a1f4-1111-7abc-8def-0123456789ab'

const it = likesTest()

describe('POST /edition/update_counter', () => {
  it('counts a like and returns the new number', async ({ publishMemo, openBrowser, countLikes }) => {
    const id = await publishMemo()
    const reply = await openBrowser().like(id)
    expect(reply.statusCode).toBe(200)
    expect(z.strictObject(likeMemoReply.shape).parse(reply.json())).toEqual({ id, counter: 1 })
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(await countLikes(id)).toBe(1)
  })

  it('sets an HttpOnly reader cookie for a year', async ({ publishMemo, openBrowser }) => {
    const reply = await openBrowser().like(await publishMemo())
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
    const { memos } = await publishedEdition(secure.context, '10-01-26-10AM', 1)
    const reply = await createBrowser({ site: secure }).like(memos[0]?.id)
    expect(reply.cookies[0]).toMatchObject({ name: readerCookie, secure: true })
  })

  it('takes a like back', async ({ publishMemo, openBrowser, countLikes }) => {
    const id = await publishMemo()
    const browser = openBrowser()
    await browser.like(id)
    const reply = await browser.like(id, false)
    expect(reply.json()).toEqual({ id, counter: 0 })
    expect(await countLikes(id)).toBe(0)
  })

  it('changes nothing when a like or its removal is repeated', async ({
    publishMemo,
    openBrowser,
    countLikes,
  }) => {
    const id = await publishMemo()
    const browser = openBrowser()
    const counters: number[] = []
    for (const add of [true, true, true, false, false, false, true]) {
      counters.push((await browser.like(id, add)).json().counter)
    }
    expect(counters).toEqual([1, 1, 1, 0, 0, 0, 1])
    expect(await countLikes(id)).toBe(1)
  })

  it('does not take back the like of another reader', async ({ publishMemo, openBrowser }) => {
    const id = await publishMemo()
    await openBrowser().like(id)
    const reply = await openBrowser().like(id, false)
    expect(reply.json()).toEqual({ id, counter: 1 })
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it('counts the likes of two readers', async ({ publishMemo, openBrowser, countLikes }) => {
    const id = await publishMemo()
    await openBrowser().like(id)
    expect((await openBrowser().like(id)).json().counter).toBe(2)
    expect(await countLikes(id)).toBe(2)
  })

  it('counts 60 concurrent likes of one reader once', async ({ publishMemo, openBrowser, countLikes }) => {
    const id = await publishMemo()
    const browser = openBrowser()
    await browser.like(id, false)
    const replies = await Promise.all(Array.from({ length: 60 }, () => browser.like(id)))
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(new Set(replies.map((reply) => reply.json().counter))).toEqual(new Set([1]))
    expect(await countLikes(id)).toBe(1)
  })

  it('counts 40 concurrent readers, some of whom take the like back', async ({
    publishMemo,
    openBrowser,
    countLikes,
  }) => {
    const id = await publishMemo()
    await Promise.all(
      Array.from({ length: 40 }, async (_reader, index) => {
        const browser = openBrowser()
        await browser.like(id)
        if (index % 4 === 0) await browser.like(id, false)
      }),
    )
    expect(await countLikes(id)).toBe(30)
  })

  it('stays consistent while one reader likes and unlikes at the same time', async ({
    publishMemo,
    openBrowser,
    countLikes,
  }) => {
    const id = await publishMemo()
    const browser = openBrowser()
    await browser.like(id)
    await Promise.all(Array.from({ length: 30 }, (_call, index) => browser.like(id, index % 2 === 0)))
    expect([0, 1]).toContain(await countLikes(id))
  })

  it('counts a client without a reader cookie once per gate pass', async ({ publishMemo, openBrowser }) => {
    const id = await publishMemo()
    const browser = openBrowser({ forgets: true })
    for (let times = 0; times < 5; times += 1) expect((await browser.like(id)).json().counter).toBe(1)
    expect((await browser.like(id, false)).json().counter).toBe(0)
  })

  it('recognizes the reader with a new gate pass', async ({ publishMemo, openBrowser, site }) => {
    const id = await publishMemo()
    const browser = openBrowser()
    await browser.like(id)
    browser.cookies.set('tidings_gate', site.context.gatePass.issue())
    expect((await browser.like(id)).json().counter).toBe(1)
  })

  it.for([
    ['made up', unknownId],
    ['forged', `${unknownId}.c2lnbmF0dXJl`],
    ['hostile', "' OR 1=1 --"],
    ['broken', '%zz'],
  ] as const)(
    'replaces a reader cookie that is %s',
    async ([_name, value], { publishMemo, openBrowser, site }) => {
      const id = await publishMemo()
      const browser = openBrowser()
      browser.cookies.set(readerCookie, value)
      const reply = await browser.like(id)
      expect(reply.json()).toEqual({ id, counter: 1 })
      expect(reply.cookies[0]?.name).toBe(readerCookie)
      expect(await site.context.database.db.memoLike.count({ where: { readerId: unknownId } })).toBe(0)
    },
  )

  it('ignores a reader cookie with a changed id', async ({ publishMemo, openBrowser, countLikes }) => {
    const id = await publishMemo()
    const browser = openBrowser()
    await browser.like(id)
    const own = browser.cookies.get(readerCookie) ?? ''
    for (let digit = 0; digit < 10; digit += 1) {
      browser.cookies.set(readerCookie, `${digit}${own.slice(1)}`)
      await browser.like(id)
    }
    expect(await countLikes(id)).toBe(1)
  })

  it.for([[true], [false]] as const)(
    'returns 404 for an unknown memo (add: %s)',
    async ([add], { openBrowser }) => {
      const reply = await openBrowser().like(unknownId, add)
      expect(reply.statusCode).toBe(404)
      expect(reply.json().error.code).toBe('memo-not-found')
      expect(reply.headers['set-cookie']).toBeUndefined()
    },
  )

  it.for([[true], [false]] as const)(
    'returns 404 for a memo of a draft (add: %s)',
    async ([add], { openBrowser, countLikes, site }) => {
      const { memos } = await draftEdition(site.context, `09-0${add ? 1 : 2}-26-10AM`, 1)
      const id = memos[0]?.id ?? ''
      const reply = await openBrowser().like(id, add)
      expect(reply.statusCode).toBe(404)
      expect(reply.json().error.code).toBe('memo-not-found')
      expect(await countLikes(id)).toBe(0)
    },
  )

  it.for([
    [{}, 'id'],
    [{ id: unknownId }, 'add'],
    [{ id: 'x', add: true }, 'id'],
    [{ id: unknownId, add: 'yes' }, 'add'],
    [{ id: unknownId, add: 1 }, 'add'],
    [{ id: [unknownId], add: true }, 'id'],
    [{ id: `${unknownId}'; DROP TABLE memo_like; --`, add: true }, 'id'],
  ] as const)('refuses %j and names the field', async ([payload, field], { site }) => {
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

  it('needs a gate pass, even with a reader cookie', async ({ publishMemo, countLikes, site }) => {
    const id = await publishMemo()
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

  it('limits new readers per IP address, while known readers can continue', async ({
    site,
    publishMemo,
    openBrowser,
    countLikes,
  }) => {
    site.limitCalls('newReaders', 3)
    const from = '192.0.2.1'
    const id = await publishMemo()
    const known = openBrowser({ from })
    await known.like(id)
    for (let readers = 0; readers < 2; readers += 1) await openBrowser({ from }).like(id)
    const refused = await openBrowser({ from }).like(id)
    expect(refused.statusCode).toBe(429)
    expect(refused.json().error.code).toBe('too-many-requests')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect((await known.like(id, false)).json().counter).toBe(2)
    expect((await known.like(id)).json().counter).toBe(3)
    expect(await countLikes(id)).toBe(3)
  })

  it('accepts every counted like under concurrency', async ({
    site,
    publishMemo,
    openBrowser,
    countLikes,
  }) => {
    site.limitCalls('newReaders', 3)
    const from = '192.0.2.2'
    const id = await publishMemo()
    const replies = await Promise.all(Array.from({ length: 20 }, () => openBrowser({ from }).like(id)))
    const counted = replies.filter(({ statusCode }) => statusCode === 200)
    expect(await countLikes(id)).toBe(counted.length)
    expect((await openBrowser({ from }).like(id)).statusCode).toBe(429)
  })

  it('lets a client with only a gate pass remove its like when its IP address is limited', async ({
    site,
    publishMemo,
    openBrowser,
  }) => {
    site.limitCalls('newReaders', 3)
    const from = '192.0.2.3'
    const id = await publishMemo()
    const forgetful = openBrowser({ forgets: true, from })
    await forgetful.like(id)
    for (let readers = 0; readers < 2; readers += 1) await openBrowser({ from }).like(id)
    const reply = await forgetful.like(id, false)
    expect([reply.statusCode, reply.json().counter]).toEqual([200, 2])
  })

  it('recognizes the reader by the cookie when the gate is off', async () => {
    const open = await useTestApp({ env: { SITE_GATE: 'off' } })
    const { memos } = await publishedEdition(open.context, '10-01-26-10AM', 1)
    const id = memos[0]?.id
    const browser = createBrowser({ site: open })
    browser.cookies.clear()
    await browser.like(id)
    expect((await browser.like(id)).json().counter).toBe(1)
    expect((await browser.like(id, false)).json().counter).toBe(0)
  })
})
