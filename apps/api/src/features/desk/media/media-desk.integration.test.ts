import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { deskMedia } from '@tidings/contracts/desk/media'
import { dataOf } from '@tidings/contracts/envelope'
import { errorReply } from '@tidings/contracts/errors'
import { limits } from '@tidings/contracts/limits'
import type { LightMyRequestResponse } from 'fastify'
import sharp from 'sharp'
import { describe, expect } from 'vitest'
import type { z } from 'zod'
import { createDeskUploads } from '#test/content/desk-uploads.ts'
import { multipartForm } from '#test/content/multipart.ts'
import { refusalOf } from '#test/desk.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { siteTest } from '#test/fixtures.ts'
import { useTestApp } from '#test/test-app.ts'

const it = siteTest()
  .extend('picture', { scope: 'file' }, () => jpegPicture(400, 300))
  .extend('uploads', { scope: 'file' }, ({ site }) => createDeskUploads(site))
  .extend('uploadForm', { scope: 'file' }, ({ uploads }) => uploads.form)
  .extend('upload', { scope: 'file' }, ({ uploads }) => uploads.file)

  /** Counts the pictures on disk, including incomplete ones. */
  .extend('countPicturesOnDisk', { scope: 'file' }, ({ site }) => async () => {
    const entries = await readdir(path.join(site.context.config.dataDir, 'media'), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => [])
    return new Set(entries.filter((entry) => entry.isFile()).map((entry) => entry.parentPath)).size
  })

  /** Creates a JPEG of exactly this size by appending bytes after its end. */
  .extend('paddedTo', { scope: 'file' }, ({ picture }) => (bytes: number): Buffer => {
    return Buffer.concat([picture, Buffer.alloc(bytes - picture.byteLength)])
  })

function mediaOf(reply: LightMyRequestResponse): z.infer<typeof deskMedia> {
  expect(reply.statusCode).toBe(201)
  return dataOf(deskMedia).parse(reply.json()).data
}

describe('POST /desk/v1/media', () => {
  it("accepts a browser's upload over the network, and rejects one that is too large", async ({
    site,
    picture,
    paddedTo,
  }) => {
    const url = new URL('/desk/v1/media', await site.listen())
    const send = async (bytes: Uint8Array) => {
      const body = new FormData()
      body.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'holiday photo.jpg')
      return await fetch(url, { method: 'POST', headers: { authorization: site.editor }, body })
    }

    const tooLarge = await send(paddedTo(limits.deskPictureBytes + 1))
    const reply = await send(picture)

    expect(tooLarge.status).toBe(413)
    expect(await tooLarge.json()).toMatchObject({
      error: {
        code: 'file-size-too-large',
        message: 'This file is larger than 20 MB (20,000,000 bytes). Make the picture smaller and try again.',
      },
    })
    expect(reply.status).toBe(201)
    expect(dataOf(deskMedia).parse(await reply.json()).data).toEqual({
      media: expect.stringMatching(/^[a-z0-9]{26}\.jpg$/),
      width: 400,
      height: 300,
      bytes: picture.byteLength,
    })
  })

  it.for([limits.deskPictureBytes + 1, limits.deskPictureBytes + 500_000])(
    'rejects %i bytes',
    async (bytes, { upload, countPicturesOnDisk, paddedTo }) => {
      const before = await countPicturesOnDisk()

      const reply = await upload(paddedTo(bytes))

      expect(reply.statusCode).toBe(413)
      expect(refusalOf(reply).code).toBe('file-size-too-large')
      expect(await countPicturesOnDisk()).toBe(before)
    },
  )

  it.for([
    [
      'SVG',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      415,
      'invalid-file-type',
    ],
    [
      'HTML that calls itself a picture',
      '<!doctype html><script>alert(1)</script>',
      415,
      'invalid-file-type',
    ],
    ['a PDF', '%PDF-1.7\n', 415, 'invalid-file-type'],
    ['a program', '\u007fELF\u0002\u0001\u0001', 415, 'invalid-file-type'],
    ['an empty file', '', 415, 'invalid-file-type'],
    ['a JPEG that is only a beginning', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 400, 'invalid-file'],
  ] as const)('rejects %s', async ([_what, content, status, code], { uploadForm, countPicturesOnDisk }) => {
    const before = await countPicturesOnDisk()

    const reply = await uploadForm([{ name: 'file', filename: 'picture.jpg', type: 'image/jpeg', content }])

    expect(refusalOf(reply)).toMatchObject({ status, code })
    expect(await countPicturesOnDisk()).toBe(before)
  })

  it('rejects a truncated picture', async ({ picture, upload }) => {
    expect(refusalOf(await upload(picture.subarray(0, picture.byteLength / 2)))).toMatchObject({
      status: 400,
      code: 'invalid-file',
    })
  })

  it.for([
    ['no file', []],
    ['a field in its place', [{ name: 'file', content: 'picture.jpg' }]],
    [
      'a field before it',
      [
        { name: 'title', content: 'x' },
        { name: 'file', filename: 'a.jpg', content: 'x' },
      ],
    ],
  ] as const)('rejects a form with %s', async ([_what, parts], { uploadForm }) => {
    expect(refusalOf(await uploadForm(parts))).toMatchObject({ status: 400, code: 'invalid-file' })
  })

  it('rejects a form with two files and stores neither', async ({
    picture,
    uploadForm,
    countPicturesOnDisk,
  }) => {
    const before = await countPicturesOnDisk()
    const file = { name: 'file', filename: 'a.jpg', content: picture }

    const reply = await uploadForm([file, { ...file, filename: 'b.jpg' }])

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-file' })
    expect(await countPicturesOnDisk()).toBe(before)
  })

  it.for([
    ['JSON', 'application/json', '{}', 415],
    ['JSON that says something', 'application/json', '{"file":"x"}', 400],
    ['the picture itself', 'image/jpeg', 'x', 415],
    ['a form without a boundary', 'multipart/form-data', 'x', 400],
  ] as const)('rejects %s instead of a form', async ([_what, type, payload, status], { site }) => {
    const reply = await site.app.inject({
      method: 'POST',
      url: '/desk/v1/media',
      headers: { authorization: site.editor, 'content-type': type },
      payload,
    })

    expect(refusalOf(reply).status).toBe(status)
  })

  it('rejects an incomplete form', async ({ site, picture }) => {
    const { headers, payload } = multipartForm([{ name: 'file', filename: 'a.jpg', content: picture }])

    const reply = await site.app.inject({
      method: 'POST',
      url: '/desk/v1/media',
      headers: { ...headers, authorization: site.editor },
      payload: payload.subarray(0, 300),
    })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-file' })
  })

  it.for(['../../../etc/passwd.jpg', 'a\u0000.jpg', `${'x'.repeat(500)}.jpg`, 'évènement 🙂.jpg'])(
    'ignores the file name %j',
    async (filename, { picture, uploadForm }) => {
      const reply = await uploadForm([{ name: 'file', filename, content: picture }])

      expect(mediaOf(reply).media).toMatch(/^[a-z0-9]{26}\.jpg$/)
    },
  )

  it('stores one picture for an upload repeated with its Idempotency-Key', async ({
    upload,
    countPicturesOnDisk,
  }) => {
    const picture = await jpegPicture(61, 40)
    const before = await countPicturesOnDisk()

    const first = await upload(picture, 'upload-once')
    const again = await upload(picture, 'upload-once')
    const other = await upload(await jpegPicture(50, 50), 'upload-once')

    expect(again.body).toBe(first.body)
    expect(refusalOf(other)).toMatchObject({ status: 409, code: 'idempotency-key-reused' })
    expect(await countPicturesOnDisk()).toBe(before + 1)
  })

  it('stores one picture for two concurrent uploads with one Idempotency-Key', async ({
    upload,
    countPicturesOnDisk,
  }) => {
    const picture = await jpegPicture(62, 40)
    const before = await countPicturesOnDisk()

    const replies = await Promise.all([upload(picture, 'upload-at-once'), upload(picture, 'upload-at-once')])

    expect(replies[1]?.body).toBe(replies[0]?.body)
    expect(await countPicturesOnDisk()).toBe(before + 1)
  })
})

describe('an uploaded picture', () => {
  it.for([
    { day: '01', accept: 'image/avif,image/webp,*/*', type: 'image/avif', format: 'heif' },
    { day: '02', accept: 'image/webp', type: 'image/webp', format: 'webp' },
    { day: '03', accept: '*/*', type: 'image/jpeg', format: 'jpeg' },
  ])(
    'is served as $type through the published memo that shows it',
    async ({ day, accept, type, format }, { site, desk, picture, upload }) => {
      const { media } = mediaOf(await upload(picture))
      const date = `01-${day}-27`
      await desk.draft(`${date}-10AM`)
      await desk.addMemo(`${date}-10AM`, { media })
      const url = `/media/${date}/10AM/${media}?w=360`
      const headers = { cookie: site.pass, accept }

      const whileDraft = await site.app.inject({ url, headers })
      await desk.publish(`${date}-10AM`)
      const reply = await site.app.inject({ url, headers })

      const metadata = await sharp(reply.rawPayload).metadata()
      expect(refusalOf(whileDraft)).toMatchObject({ status: 404, code: 'media-not-found' })
      expect(reply.statusCode).toBe(200)
      expect(reply.headers['content-type']).toBe(type)
      expect(metadata).toMatchObject({ format, width: 360 })
    },
  )

  it('contains no camera metadata', async ({ site, desk, picture, upload }) => {
    const withExif = await sharp(picture)
      .withExif({ IFD0: { Artist: 'SECRET PHOTOGRAPHER' }, IFD3: { GPSLatitude: '34/1 3/1 0/1' } })
      .toBuffer()
    expect((await sharp(withExif).metadata()).exif).toBeDefined()
    const { media } = mediaOf(await upload(withExif))
    await desk.draft('01-08-27-10AM')
    await desk.addMemo('01-08-27-10AM', { media })
    await desk.publish('01-08-27-10AM')

    for (const accept of ['image/avif', 'image/webp', 'image/jpeg']) {
      const reply = await site.app.inject({
        url: `/media/01-08-27/10AM/${media}`,
        headers: { cookie: site.pass, accept },
      })
      const { exif, xmp, iptc } = await sharp(reply.rawPayload).metadata()
      expect({ exif, xmp, iptc }).toEqual({ exif: undefined, xmp: undefined, iptc: undefined })
      expect(reply.rawPayload.includes('SECRET')).toBe(false)
    }
  })

  it('responds to an upload of megabytes after an unexpected field', async () => {
    const body = new FormData()
    body.append('name', 'x')
    body.append('file', new Blob([new Uint8Array(19_900_000)], { type: 'image/jpeg' }), 'a.jpg')
    const site = await useTestApp()
    const url = new URL('/desk/v1/media', await site.listen())
    const reply = await fetch(url, { method: 'POST', headers: { authorization: site.editor }, body })
    expect([reply.status, errorReply.parse(await reply.json()).error.code]).toEqual([400, 'invalid-file'])
  })

  it('is served while a published gated article shows it', async ({ site, desk, picture, upload }) => {
    const { media } = mediaOf(await upload(picture))
    const article = await desk.addArticle({ media, status: 'published' })
    const headers = { cookie: site.pass }

    const shown = await site.app.inject({ url: `/gated/${media}`, headers })
    await desk.call('PATCH', `/articles/${article.id}`, { body: { media: '' }, ifMatch: '"1"' })
    const deleted = await site.app.inject({ url: `/gated/${media}`, headers })

    expect(shown.statusCode).toBe(200)
    expect(refusalOf(deleted)).toMatchObject({ status: 404, code: 'media-not-found' })
  })
})
