import { parseXml } from '@rgrove/parse-xml'
import { formatCorrectionTime } from '@tidings/contracts/site/correction-line'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { refusalOf } from '#test/desk.ts'
import { publishedEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'
import { writerOf } from '#test/writing/memo-writer.ts'

const jsonFeed = z.object({
  feed_url: z.string().optional(),
  language: z.string(),
  items: z.array(
    z.object({
      id: z.string(),
      url: z.string(),
      title: z.string(),
      summary: z.string(),
      content_html: z.string(),
      date_published: z.iso.datetime(),
      date_modified: z.iso.datetime(),
    }),
  ),
})
const text = `<p>${'Words of the memo. '.repeat(20)}The end of it.</p>`

const it = siteTest({ env: { SITE_GATE: 'off' } })
  .extend(
    'read',
    { scope: 'file' },
    ({ site }) =>
      async (url: string, headers: Record<string, string> = {}) => {
        return await site.app.inject({ url, headers })
      },
  )
  .extend('items', { scope: 'file' }, ({ read }) => async (url: string) => {
    return jsonFeed.parse((await read(url)).json()).items
  })
  .extend('editions', { scope: 'file' }, async ({ site, desk }) => {
    await publishedEdition(site.context, '11-19-26-10AM', 1)
    await desk.draft('11-19-26-3PM', ['A draft'])
    await desk.addMemo('11-19-26-3PM', {
      title: 'Tea & <cake>',
      memo_content: text,
      source: 'https://www.example.com/tea?a=1&b=2',
      language: 'fr-CA',
    })
    await desk.publish('11-19-26-3PM')
    await desk.draft('11-19-26-8PM', ['Not yet published'])
  })
  .extend('address', { scope: 'file' }, ({ members }) => async (format: 'rss' | 'json' = 'json') => {
    const { headers } = await members.signUp()
    const { data } = (await members.call('POST', '/member/feed', { headers })).json()
    return { headers, path: new URL(data[format]).pathname }
  })

describe('the public feeds of an open site', () => {
  it('have one entry for each published edition, newest first, with summaries', async ({
    items,
    editions: _,
  }) => {
    const [newest, older, ...others] = await items('/feeds/json')

    expect(others).toEqual([])
    expect(newest).toMatchObject({
      url: 'http://localhost:3000/#/edition/11-19-26-3PM',
      title: 'Thursday, November 19, 2026, 3PM',
    })
    expect(older?.title).toBe('Thursday, November 19, 2026, 10AM')
    expect(newest?.summary).toContain('Tea & <cake>\nWords of the memo.')
    expect(newest?.content_html).toContain(
      '<div lang="fr-CA" dir="ltr"><p><strong>Tea &amp; &lt;cake&gt;</strong>',
    )
    expect(newest?.content_html).not.toContain('The end of it.')
  })

  it('are well-formed RSS with the same entries', async ({ read, items, editions: _ }) => {
    const reply = await read('/feeds/rss')
    const ids = (await items('/feeds/json')).map(({ id }) => id)

    expect(reply.headers['content-type']).toBe('application/rss+xml; charset=utf-8')
    expect(parseXml(reply.body).root?.name).toBe('rss')
    expect([...reply.body.matchAll(/<guid isPermaLink="false">([^<]+)</g)].map(([, id]) => id)).toEqual(ids)
    expect(reply.body).toContain('http://localhost:3000/feeds/rss')
  })

  it('may be cached, and are sent again only after a change', async ({ read, editions: _ }) => {
    const { headers } = await read('/feeds/rss')
    const { etag = '', 'last-modified': date = '' } = headers
    const unchanged = [
      await read('/feeds/rss', { 'if-none-match': String(etag) }),
      await read('/feeds/rss', { 'if-modified-since': String(date) }),
      await read('/feeds/rss', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }),
    ]
    const both = { 'if-none-match': '"other"', 'if-modified-since': String(date) }

    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=300',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(unchanged.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [304, ''],
      [304, ''],
      [304, ''],
    ])
    expect((await read('/feeds/rss', both)).statusCode).toBe(200)
    const earlier = { 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' }
    expect((await read('/feeds/rss', earlier)).statusCode).toBe(200)
    expect((await read('/feeds/rss', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip')
  })

  it('show a correction and a withdrawal at once, under the same id', async ({ db, desk, items }) => {
    await desk.draft('11-18-26-10AM', ['With an error'])
    await desk.publish('11-18-26-10AM')
    const find = async () => (await items('/feeds/json')).find(({ url }) => url.endsWith('11-18-26-10AM'))
    const before = await find()
    const memo = await db.memo.findFirstOrThrow({ where: { title: 'With an error' } })
    const change = { body: { title: 'Corrected' }, ifMatch: `"${memo.version}"` }
    await desk.call('PATCH', `/memos/${memo.id}`, change)

    const after = await find()
    await desk.call('PUT', '/editions/11-18-26-10AM', {
      body: { status: 'draft' },
      ifMatch: `"${(await desk.read('11-18-26-10AM')).version}"`,
    })

    expect(after).toMatchObject({ id: before?.id, date_published: before?.date_published })
    expect(after?.summary).toContain('Corrected')
    expect(String(after?.date_modified) > String(before?.date_modified)).toBe(true)
    expect(await find()).toBeUndefined()
  })
})

describe("a member's feed", () => {
  it('describes pictures by the alt texts of editors', async ({ db, desk, items, address }) => {
    const media = `${'d'.repeat(26)}.jpg`
    await db.media.create({ data: { file: media, width: 1, height: 1, bytes: 1 } })
    await desk.draft('11-17-26-10AM')
    for (const media_alt of ['A "quoted" pier', '', null]) {
      await desk.addMemo('11-17-26-10AM', { media, media_alt, media_title: 'Caption' })
    }
    await desk.publish('11-17-26-10AM')

    const { path } = await address()
    const item = (await items(path)).find(({ url }) => url.endsWith('11-17-26-10AM'))

    expect(
      [...(item?.content_html ?? '').matchAll(/<img [^>]*alt="([^"]*)"/g)].map(([, alt]) => alt),
    ).toEqual(['A &quot;quoted&quot; pier', '', ''])
  })

  it('notes a correction below its memo', async ({ site, desk, items, address }) => {
    await desk.draft('11-16-26-10AM')
    const { id } = await desk.addMemo('11-16-26-10AM', { title: 'عنوان', language: 'ar' })
    await desk.publish('11-16-26-10AM')
    const { path } = await address()
    const find = async () => (await items(path)).find(({ url }) => url.endsWith('11-16-26-10AM'))
    expect((await find())?.content_html).not.toContain('Corrected at')
    const writer = writerOf(desk, id)
    const { version } = (await writer.save(1, { title: 'عنوان آخر' })).json().data
    expect((await writer.publish(version, { note: 'It was <b>wrong</b>.' })).statusCode).toBe(200)

    const { timeZone } = site.context.config.site
    const time = formatCorrectionTime(site.clock.now(), timeZone)
    expect((await find())?.content_html).toBe(
      `<div lang="ar" dir="rtl"><h2>عنوان آخر</h2><p>News.</p><p>Corrected at ${time}: <bdi>It was &lt;b&gt;wrong&lt;/b&gt;.</bdi></p></div>`,
    )
    expect((await items('/feeds/json')).map(({ content_html: html }) => html).join()).not.toContain('wrong')
  })

  it('has whole memos with their source, and not its own address', async ({
    read,
    items,
    address,
    editions: _,
  }) => {
    const { path } = await address()

    const newest = (await items(path)).find(({ url }) => url.endsWith('11-19-26-3PM'))

    expect(newest?.content_html).toContain('<h2>Tea &amp; &lt;cake&gt;</h2>')
    expect(newest?.content_html).toContain('The end of it.')
    expect(newest?.content_html).toContain(
      '<a href="https://www.example.com/tea?a=1&amp;b=2">example.com</a>',
    )
    const [, , token = ''] = path.split('/')
    const documents = [await read(path), await read(path.replace('json', 'rss'))]
    for (const { headers, body } of documents) {
      expect(body).not.toContain(token)
      expect(headers).toMatchObject({
        'cache-control': 'private, no-cache',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
    }
    expect(parseXml(documents[1]?.body ?? '').root?.name).toBe('rss')
  })

  it('ends with a renewal, and the new address works', async ({ db, read, members, address }) => {
    const { headers, path } = await address('rss')
    const { data } = (await members.call('POST', '/member/feed', { headers })).json()

    expect(refusalOf(await read(path))).toMatchObject({ status: 404, code: 'feed-not-found' })
    expect((await read(new URL(data.rss).pathname)).statusCode).toBe(200)
    const stored = await db.memberFeed.findMany()
    expect(JSON.stringify(stored)).not.toContain(new URL(data.rss).pathname.split('/')[2])
  })

  it('ends when the member ends it, or deletes the account', async ({ read, members, address }) => {
    for (const url of ['/member/feed', '/member']) {
      const { headers, path } = await address()
      expect((await read(path)).statusCode).toBe(200)
      expect((await members.call('DELETE', url, { headers })).statusCode).toBe(200)

      const reply = await read(path)
      expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'feed-not-found' })
      expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    }
  })

  it.for(['x', 'rss', '%00', 'a'.repeat(190)])('does not exist at %s', async (token, { read }) => {
    expect(refusalOf(await read(`/feeds/${token}/rss`)).status).toBe(404)
  })
})

describe('GET /member/feed', () => {
  it('says since when there is a feed', async ({ site, members }) => {
    const { headers } = await members.signUp()
    const get = async () => (await members.call('GET', '/member/feed', { headers })).json()
    const before = await get()
    await members.call('POST', '/member/feed', { headers })
    const during = await get()
    await members.call('DELETE', '/member/feed', { headers })

    expect([before, during, await get()]).toEqual([
      { data: null },
      { data: { createdAt: site.clock.now().toISOString() } },
      { data: null },
    ])
  })

  it.for(['GET', 'POST', 'DELETE'] as const)('and %s need a login', async (method, { members }) => {
    expect(refusalOf(await members.call(method, '/member/feed')).code).toBe('login-required')
  })
})
