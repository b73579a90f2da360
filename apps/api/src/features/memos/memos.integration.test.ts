import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { editionReply } from '@tidings/contracts/editions'
import { describe, expect } from 'vitest'
import { draftEdition, publishedEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest()
  /** Reads an edition with a gate pass. */
  .extend(
    'readEdition',
    { scope: 'file' },
    ({ site }) =>
      async (key: string, headers: Record<string, string> = {}) => {
        return await site.app.inject({
          url: `/edition/prod/${key}`,
          headers: { cookie: site.pass, ...headers },
        })
      },
  )

describe('GET /edition/prod/{key}', () => {
  it('returns the memos of a published edition in order', async ({ site, readEdition }) => {
    await publishedEdition(site.context, '11-20-26-10AM', 3)
    const reply = await readEdition('11-20-26-10AM')
    expect(reply.statusCode).toBe(200)
    expect(editionReply.parse(reply.json()).map(({ title }) => title)).toEqual(['Memo 1', 'Memo 2', 'Memo 3'])
  })

  it('returns a memo with the exact body of the contract', async ({ site, readEdition }) => {
    const { memos } = await publishedEdition(site.context, '11-19-26-10AM', 1)
    const reply = await readEdition('11-19-26-10AM')
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.body).toBe(
      JSON.stringify([
        {
          _id: memos[0]?.id,
          title: 'Memo 1',
          media: '',
          media_text: '',
          media_title: '',
          memo_content: '<p>The text of memo 1.</p>',
          source: 'https://example.com/1',
          counter: 0,
        },
      ]),
    )
  })

  it('carries the language of a memo only if its editor set one', async ({ desk, readEdition }) => {
    const { key } = await desk.newDraft()
    await desk.addMemo(key, { title: 'الميناء', language: 'ar' })
    await desk.addMemo(key, { title: 'Harbour opens' })
    await desk.publish(key)
    const memos = editionReply.parse((await readEdition(key)).json())
    expect(memos.map((memo) => ('language' in memo ? memo.language : 'no key'))).toEqual(['ar', 'no key'])
  })

  it('carries the alt text and focal point of a picture only if its editor chose them', async ({
    site,
    desk,
    readEdition,
  }) => {
    const media = `${'c'.repeat(26)}.jpg`
    await site.context.database.db.media.create({ data: { file: media, width: 1, height: 1, bytes: 1 } })
    const { key } = await desk.newDraft()
    await desk.addMemo(key, { media, media_alt: 'A pier', media_focus: { x: 0, y: 0.25 } })
    await desk.addMemo(key, { media, media_alt: '', media_focus: { x: 0.5, y: 0.5 } })
    await desk.addMemo(key, { media })
    await desk.addMemo(key, { media_alt: 'Of no picture' })
    await desk.publish(key)

    const memos = editionReply.parse((await readEdition(key)).json())

    const chosen = memos.map(({ media_alt, media_focus }) => ({ media_alt, media_focus }))
    expect(chosen).toEqual([
      { media_alt: 'A pier', media_focus: { x: 0, y: 0.25 } },
      { media_alt: '' },
      {},
      {},
    ])
    expect(Object.keys(memos[2] ?? {})).not.toContain('media_alt')
  })

  it('returns an empty list for an edition without memos', async ({ site, readEdition }) => {
    await publishedEdition(site.context, '11-18-26-10AM', 0)
    const reply = await readEdition('11-18-26-10AM')
    expect([reply.statusCode, reply.body]).toEqual([200, '[]'])
  })

  it('returns 404 for a draft', async ({ site, readEdition }) => {
    await draftEdition(site.context, '11-17-26-10AM', 2)
    const reply = await readEdition('11-17-26-10AM')
    expect(reply.statusCode).toBe(404)
    expect(reply.json().error.code).toBe('edition-not-found')
  })

  it.for([
    ['01-01-30-10AM', 404, 'edition-not-found'],
    ['11-20-26-4PM', 404, 'edition-not-found'],
    ['11-20-26-10am', 404, 'edition-not-found'],
    ['02-30-26-10AM', 400, 'invalid-date'],
    ['13-20-26-10AM', 400, 'invalid-date'],
    ['11-20-26', 400, 'invalid-edition-key'],
    ['11-20-26-', 400, 'invalid-edition-key'],
    ['11-20-26-10:00', 400, 'invalid-edition-key'],
    ['11-20-2026-10AM', 400, 'invalid-edition-key'],
    ['GET_LIST', 400, 'invalid-edition-key'],
    ['latest', 400, 'invalid-edition-key'],
  ] as const)('returns for %s the status %s and code %s', async ([key, status, code], { readEdition }) => {
    const reply = await readEdition(key)
    expect(reply.statusCode).toBe(status)
    expect(reply.json().error.code).toBe(code)
    if (status === 400) expect(reply.json().error.message).toContain('MM-DD-YY')
  })

  it.for([
    ['br', (bytes: Buffer) => brotliDecompressSync(bytes)],
    ['gzip', (bytes: Buffer) => gunzipSync(bytes)],
  ] as const)(
    'is compressed with %s on request, with its own tag',
    async ([encoding, open], { site, readEdition }) => {
      const key = `11-16-26-${encoding}`
      await site.context.database.db.edition.create({
        data: {
          date: new Date('2026-11-16'),
          slot: encoding,
          status: 'published',
          publishAt: site.clock.now(),
          publishedAt: site.clock.now(),
          memos: { create: { position: 1, title: 'Long', content: `<p>${'Words. '.repeat(500)}</p>` } },
        },
      })
      const plain = await readEdition(key)
      const small = await readEdition(key, { 'accept-encoding': encoding })
      expect(small.headers['content-encoding']).toBe(encoding)
      expect(small.rawPayload.byteLength).toBeLessThan(plain.rawPayload.byteLength / 4)
      expect(open(small.rawPayload).toString()).toBe(plain.body)
      expect(small.headers.etag).not.toBe(plain.headers.etag)
      for (const held of [small.headers.etag, plain.headers.etag]) {
        const again = await readEdition(key, { 'accept-encoding': encoding, 'if-none-match': String(held) })
        expect([again.statusCode, again.body]).toEqual([304, ''])
        expect(again.headers.etag).toBe(small.headers.etag)
        expect(again.headers.vary).toBe('Accept-Encoding')
      }
    },
  )
})
