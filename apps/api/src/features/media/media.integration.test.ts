import sharp from 'sharp'
import { describe, expect, vi } from 'vitest'
import { draftEdition, memoContent, publishedEdition } from '#test/factories/editions.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const it = siteTest()
  .extend(
    'storePicture',
    { scope: 'file' },
    ({ site }) =>
      () =>
        storePicture(site),
  )
  .extend('pictures', { scope: 'file' }, async ({ site, db, storePicture }) => {
    const inMemo = await storePicture()
    const inDraft = await storePicture()
    const inArticle = await storePicture()
    const inNothing = await storePicture()
    const { edition } = await publishedEdition(site.context, '11-20-26-10AM', 1)
    await addMemo(site, edition, inMemo)
    await publishedEdition(site.context, '11-20-26-3PM', 1)
    const draft = await draftEdition(site.context, '11-20-26-8PM', 1)
    await addMemo(site, draft.edition, inDraft)
    await db.article.create({
      data: {
        title: 'A',
        content: '<p>x</p>',
        mediaFile: inArticle,
        status: 'published',
        publishedAt: site.clock.now(),
      },
    })
    return { inMemo, inDraft, inArticle, inNothing }
  })
  /** Requests a picture with a gate pass. */
  .extend('requestPicture', { scope: 'file' }, ({ site }) => {
    return async (url: string, headers: Record<string, string> = {}) =>
      await site.app.inject({ url, headers: { cookie: site.pass, ...headers } })
  })

type Pictures = Record<'inMemo' | 'inDraft' | 'inArticle' | 'inNothing', string>
type UrlOf = (pictures: Pictures) => string

/** Stores a new picture, 1,600 pixels wide. Returns its name. */
async function storePicture({ context: { media, ids } }: TestApp): Promise<string> {
  // Bytes after a JPEG's end make it another upload.
  const upload = Buffer.concat([await jpegPicture(1600, 900), Buffer.from(ids.name())])
  const picture = await media.prepare(upload, 'editorial')
  return picture.file
}

/** Adds a memo with a picture. */
async function addMemo(
  { context: { memos, database } }: TestApp,
  edition: Awaited<ReturnType<typeof draftEdition>>['edition'],
  file: string,
) {
  await database.transaction((tx) => memos.add(tx, edition, { ...memoContent(2), mediaFile: file }))
}

describe('GET /media/{date}/{timestamp}/{file}', () => {
  it.for([
    ['image/avif,image/webp,image/*', 'image/avif', 'heif'],
    ['image/webp,image/*', 'image/webp', 'webp'],
    ['image/*', 'image/jpeg', 'jpeg'],
    ['*/*', 'image/jpeg', 'jpeg'],
  ] as const)(
    'returns for Accept: %s the format %s',
    async ([accept, type, format], { pictures, requestPicture }) => {
      const reply = await requestPicture(`/media/11-20-26/10AM/${pictures.inMemo}`, { accept })
      expect(reply.statusCode).toBe(200)
      expect(reply.headers['content-type']).toBe(type)
      expect(reply.headers.vary).toBe('Accept')
      expect(reply.headers['x-content-type-options']).toBe('nosniff')
      expect((await sharp(reply.rawPayload).metadata()).format).toBe(format)
    },
  )

  it.for([
    ['', 1080],
    ['?w=1', 360],
    ['?w=360', 360],
    ['?w=400', 720],
    ['?w=1080', 1080],
    ['?w=10000', 1080],
    ['?w=360&other=1', 360],
  ] as const)(
    'returns for %j a picture %s pixels wide',
    async ([query, width], { pictures, requestPicture }) => {
      const reply = await requestPicture(`/media/11-20-26/10AM/${pictures.inMemo}${query}`)
      expect((await sharp(reply.rawPayload).metadata()).width).toBe(width)
    },
  )

  it.for(['0', '-1', '1.5', '10001', 'wide', '', '360px', '1e9', '<b>'])(
    'rejects the width %j',
    async (width, { pictures, requestPicture }) => {
      const reply = await requestPicture(
        `/media/11-20-26/10AM/${pictures.inMemo}?w=${encodeURIComponent(width)}`,
      )
      expect(reply.statusCode).toBe(400)
      expect(reply.json().error.code).toBe('invalid-request')
      expect(reply.json().error.message).toContain('w')
    },
  )

  it.for(['image/avif', 'image/webp'])(
    'returns the JPEG to %s if an earlier release stored it with transparency',
    async (accept, { site, storePicture, requestPicture }) => {
      const { store } = site.context
      const file = await storePicture()
      const clear = { r: 0, g: 0, b: 0, alpha: 0 }
      const picture = sharp({ create: { width: 360, height: 240, channels: 4, background: clear } })
      await store.save(file, [
        { width: 360, format: 'avif', bytes: await picture.avif().toBuffer() },
        { width: 360, format: 'webp', bytes: await picture.webp().toBuffer() },
      ])
      const date = accept === 'image/avif' ? '11-17-26' : '11-18-26'
      const { edition } = await publishedEdition(site.context, `${date}-10AM`, 0)
      await addMemo(site, edition, file)
      const url = `/media/${date}/10AM/${file}?w=360`
      await vi.waitFor(async () => expect((await requestPicture(url)).statusCode).toBe(200), waitOptions)

      const reply = await requestPicture(url, { accept })
      const jpeg = await store.open(file, 360, 'jpeg')

      expect(reply.headers['content-type']).toBe('image/jpeg')
      expect(reply.rawPayload).toEqual(jpeg?.bytes)
    },
  )

  it('can be cached by the browser and not by shared caches', async ({ pictures, requestPicture }) => {
    const reply = await requestPicture(`/media/11-20-26/10AM/${pictures.inMemo}`)
    expect(reply.headers['cache-control']).toBe('private, max-age=2592000, immutable')
  })

  it('returns 304 to a browser that has this width and format', async ({ pictures, requestPicture }) => {
    const url = `/media/11-20-26/10AM/${pictures.inMemo}`
    const first = await requestPicture(url, { accept: 'image/avif' })
    const held = { 'if-none-match': String(first.headers.etag) }
    const again = await requestPicture(url, { accept: 'image/avif', ...held })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(again.headers.vary).toBe('Accept')
    expect((await requestPicture(url, { accept: 'image/webp', ...held })).statusCode).toBe(200)
    expect((await requestPicture(`${url}?w=360`, { accept: 'image/avif', ...held })).statusCode).toBe(200)
  })

  it('sends a range of the bytes, which together are the picture', async ({ pictures, requestPicture }) => {
    const url = `/media/11-20-26/10AM/${pictures.inMemo}?w=360`
    const whole = await requestPicture(url)
    const size = whole.rawPayload.byteLength
    expect(whole.headers['accept-ranges']).toBe('bytes')

    const start = await requestPicture(url, { range: 'bytes=0-1' })
    const rest = await requestPicture(url, {
      range: `bytes=-${size - 2}`,
      'if-range': String(whole.headers.etag),
    })
    expect([start.statusCode, rest.statusCode]).toEqual([206, 206])
    expect(start.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '2',
      'content-range': `bytes 0-1/${size}`,
      etag: whole.headers.etag,
    })
    expect(rest.headers['content-range']).toBe(`bytes 2-${size - 1}/${size}`)
    expect(Buffer.concat([start.rawPayload, rest.rawPayload])).toEqual(whole.rawPayload)
  })

  it('sends everything for several ranges, and for a range of another version', async ({
    pictures,
    requestPicture,
  }) => {
    const url = `/media/11-20-26/10AM/${pictures.inMemo}?w=360`
    const several = await requestPicture(url, { range: 'bytes=0-1,4-5' })
    const changed = await requestPicture(url, { range: 'bytes=0-1', 'if-range': '"other"' })
    for (const reply of [several, changed]) {
      expect(reply.statusCode).toBe(200)
      expect(reply.headers['content-range']).toBeUndefined()
      expect((await sharp(reply.rawPayload).metadata()).width).toBe(360)
    }
  })

  it('rejects a range that does not exist, and names the size', async ({ pictures, requestPicture }) => {
    const url = `/media/11-20-26/10AM/${pictures.inMemo}?w=360`
    const { byteLength } = (await requestPicture(url)).rawPayload
    const reply = await requestPicture(url, { range: `bytes=${byteLength}-` })
    expect(reply.statusCode).toBe(416)
    expect(reply.headers['content-range']).toBe(`bytes */${byteLength}`)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json().error.code).toBe('range-not-satisfiable')
  })

  it('sends to HEAD the same headers without a body, also with a range', async ({ site, pictures }) => {
    const reply = await site.app.inject({
      method: 'HEAD',
      url: `/media/11-20-26/10AM/${pictures.inMemo}?w=360`,
      headers: { cookie: site.pass, range: 'bytes=0-1' },
    })
    expect([reply.statusCode, reply.body]).toEqual([200, ''])
    expect(reply.headers['accept-ranges']).toBe('bytes')
    expect(Number(reply.headers['content-length'])).toBeGreaterThan(2)
  })

  it.for<[string, UrlOf]>([
    ['in another edition', ({ inMemo }) => `/media/11-20-26/3PM/${inMemo}`],
    ['on another day', ({ inMemo }) => `/media/11-19-26/10AM/${inMemo}`],
    ['in an edition that is no edition', ({ inMemo }) => `/media/11-20-26/4AM/${inMemo}`],
    ['of a draft', ({ inDraft }) => `/media/11-20-26/8PM/${inDraft}`],
    ['of an article', ({ inArticle }) => `/media/11-20-26/10AM/${inArticle}`],
    ['that nothing uses', ({ inNothing }) => `/media/11-20-26/10AM/${inNothing}`],
    ['that does not exist', () => '/media/11-20-26/10AM/abcdefghijklmnopqrstuvwxyz.jpg'],
    [
      'under a variant of its name',
      ({ inMemo }) => `/media/11-20-26/10AM/${inMemo.replace('.jpg', '.avif')}`,
    ],
    ['under its name in capitals', ({ inMemo }) => `/media/11-20-26/10AM/${inMemo.toUpperCase()}`],
    ['by a way out of the folder', ({ inMemo }) => `/media/11-20-26/10AM/..%2F..%2F${inMemo}`],
    ['by a way to another file', () => '/media/11-20-26/10AM/..%2F..%2F..%2Fetc%2Fpasswd'],
    ['by the name of a folder', ({ inMemo }) => `/media/11-20-26/10AM/${inMemo.slice(0, 2)}`],
    ['by a name with a null', ({ inMemo }) => `/media/11-20-26/10AM/${inMemo}%00`],
  ])('returns 404 for a picture %s', async ([_name, urlOf], { pictures, requestPicture }) => {
    const reply = await requestPicture(urlOf(pictures))
    expect(reply.statusCode).toBe(404)
    expect(reply.json().error.code).toBe('media-not-found')
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it.for([
    ['02-30-26/10AM', 'invalid-date'],
    ['today/10AM', 'invalid-date'],
    ['11-20-2026/10AM', 'invalid-date'],
    ['11-20-26/10%20AM', 'invalid-edition-key'],
    ['11-20-26/%00', 'invalid-edition-key'],
    ['11-20-26/10-AM', 'invalid-edition-key'],
    ['11-20-26/ABCDEFGHIJKLM', 'invalid-edition-key'],
  ] as const)('rejects %s as malformed', async ([place, code], { pictures, requestPicture }) => {
    const reply = await requestPicture(`/media/${place}/${pictures.inMemo}`)
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error.code).toBe(code)
  })

  it('requires the gate pass', async ({ site, pictures }) => {
    const reply = await site.app.inject(`/media/11-20-26/10AM/${pictures.inMemo}`)
    expect(reply.statusCode).toBe(401)
    expect(reply.json().error.code).toBe('gate-required')
  })

  it('is available only while its edition is published', async ({ site, storePicture, requestPicture }) => {
    const { publishing, database } = site.context
    const file = await storePicture()
    const { edition } = await draftEdition(site.context, '11-21-26-10AM', 0)
    await addMemo(site, edition, file)
    const url = `/media/11-21-26/10AM/${file}?w=360`
    expect((await requestPicture(url)).statusCode).toBe(404)
    const published = await database.transaction((tx) => publishing.publish(tx, edition, { as: 'archive' }))
    await vi.waitFor(async () => expect((await requestPicture(url)).statusCode).toBe(200), waitOptions)
    await database.transaction((tx) => publishing.withdraw(tx, published))
    await vi.waitFor(async () => expect((await requestPicture(url)).statusCode).toBe(404), waitOptions)
  })
})

describe('GET /gated/{file}', () => {
  it('returns a picture of a published article with a gate pass', async ({ pictures, requestPicture }) => {
    const reply = await requestPicture(`/gated/${pictures.inArticle}?w=720`, { accept: 'image/webp' })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('image/webp')
    expect(reply.headers.vary).toBe('Accept')
    expect((await sharp(reply.rawPayload).metadata()).width).toBe(720)
  })

  it('requires the gate pass', async ({ site, pictures }) => {
    const reply = await site.app.inject(`/gated/${pictures.inArticle}`)
    expect(reply.json().error.code).toBe('gate-required')
  })

  it.for<[string, UrlOf]>([
    ['of a memo', ({ inMemo }) => `/gated/${inMemo}`],
    ['that nothing uses', ({ inNothing }) => `/gated/${inNothing}`],
    ['by a way out of the folder', ({ inArticle }) => `/gated/..%2f${inArticle}`],
    ['by the name of the system', () => '/gated/%2e%2e%2f%2e%2e%2fetc%2fpasswd'],
  ])('returns 404 for a picture %s', async ([_name, urlOf], { pictures, requestPicture }) => {
    const reply = await requestPicture(urlOf(pictures))
    expect(reply.statusCode).toBe(404)
    expect(reply.json().error.code).toBe('media-not-found')
  })

  it('returns 404 for a picture of a draft article', async ({ site, storePicture, requestPicture }) => {
    const file = await storePicture()
    await site.context.database.db.article.create({ data: { title: 'D', content: 'x', mediaFile: file } })
    expect((await requestPicture(`/gated/${file}`)).json().error.code).toBe('media-not-found')
  })
})
