import { errorReply } from '@tidings/contracts/errors'
import { limits } from '@tidings/contracts/limits'
import sharp from 'sharp'
import { describe, expect } from 'vitest'
import type { FormPart } from '#test/content/multipart.ts'
import { createTestProfileImages, nameIn } from '#test/content/profile-images.ts'
import { refusalOf } from '#test/desk.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { pngClaiming } from '#test/factories/png.ts'
import { siteTest } from '#test/fixtures.ts'

const picture = await jpegPicture(200, 150)
const it = siteTest()
  .extend('images', { scope: 'file' }, ({ site }) => createTestProfileImages(site))
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('shown', { scope: 'file' }, ({ images, ann }) => images.set(ann, picture))

  /** Expects the previous image to be stored and shown, and no other. */
  .extend(
    'expectUnchanged',
    { scope: 'file' },
    ({ members, images, ann, shown }) =>
      async (): Promise<void> => {
        const member = await members.call('GET', '/member', { headers: ann.headers })
        expect(member.json().data.profileImage).toBe(shown)
        expect(await images.onDisk()).toEqual([nameIn(shown)])
        expect((await images.show(shown)).statusCode).toBe(200)
      },
  )

const broken = { 'content-type': 'multipart/form-data; boundary=b' }

/** Returns the beginning of a form with the boundary `b`. */
function partOf(name: string): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

/** Returns a JPEG of exactly this many bytes, padded after the image's end. */
function paddedTo(bytes: number): Buffer {
  return Buffer.concat([picture, Buffer.alloc(bytes - picture.byteLength)])
}

describe('POST /member/profile-image', () => {
  it.for([
    ['a text', 'Hello.', 'image/jpeg'],
    ['an SVG', svg, 'image/svg+xml'],
    ['an SVG sent as a PNG', svg, 'image/png'],
    ['a page', '<!doctype html><script>alert(1)</script>', 'image/png'],
    ['a PDF', '%PDF-1.7\n', 'image/jpeg'],
    ['an empty file', '', 'image/jpeg'],
    ['a word before a JPEG', `x${'\xff\xd8\xff'}`, 'image/jpeg'],
  ] as const)('refuses %s', async ([_what, content, type], { images, ann, expectUnchanged }) => {
    const refusal = refusalOf(await images.upload(ann, content, { type }))
    expect(refusal).toEqual({ status: 400, code: 'invalid-file-type', message: 'File is not an image.' })
    await expectUnchanged()
  })

  it('says what to do with a HEIC picture that it cannot read', async ({ images, ann, expectUnchanged }) => {
    const heic = Buffer.from('\0\0\0\x14ftypheic\0\0\0\0mif1', 'latin1')
    expect(refusalOf(await images.upload(ann, heic, { type: 'image/heic' }))).toEqual({
      status: 415,
      code: 'unsupported-media-type',
      message: 'We couldn’t read this HEIC picture. Save it as JPEG and try again.',
    })
    await expectUnchanged()
  })

  it.for(['text/plain', 'application/octet-stream', 'video/mp4'])(
    'refuses an image sent as %s',
    async (type, { images, ann, expectUnchanged }) => {
      const refusal = refusalOf(await images.upload(ann, picture, { type }))
      expect(refusal).toEqual({ status: 400, code: 'invalid-file-type', message: 'File is not an image.' })
      await expectUnchanged()
    },
  )

  it.for([limits.profileImageBytes + 1, limits.profileImageBytes + 500_000, 9_000_000])(
    'refuses %i bytes',
    async (bytes, { images, ann, expectUnchanged }) => {
      expect(refusalOf(await images.upload(ann, paddedTo(bytes)))).toEqual({
        status: 413,
        code: 'file-size-too-large',
        message: 'Image must be less than 2MB.',
      })
      await expectUnchanged()
    },
  )

  it('accepts 4,000,000 bytes', async ({ members, images }) => {
    const bea = await members.signUp()
    const address = await images.set(bea, paddedTo(limits.profileImageBytes))
    expect((await images.show(address)).statusCode).toBe(200)
    await members.call('DELETE', '/member/profile-image', { headers: bea.headers })
  })

  it.for([
    ['a truncated image', () => picture.subarray(0, picture.byteLength / 2)],
    ['a JPEG header alone', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ['a decompression bomb', () => pngClaiming(40_000, 40_000)],
    ['a decompression bomb of one row', () => pngClaiming(2_000_000, 1)],
    ['an image of zero width', () => pngClaiming(0, 10)],
    ['a GIF header alone', () => Buffer.from('GIF89a')],
    ['a WebP of noise', () => Buffer.from(`RIFF\x24\x00\x00\x00WEBPVP8 ${'\x07'.repeat(40)}`, 'latin1')],
  ] as const)('refuses %s', async ([_what, content], { images, ann, expectUnchanged }) => {
    const refusal = refusalOf(await images.upload(ann, content()))
    expect(refusal).toMatchObject({ status: 400, code: 'invalid-file' })
    await expectUnchanged()
  })

  const file: FormPart = { name: 'profileImage', filename: 'me.jpg', type: 'image/jpeg', content: 'x' }
  it.for<[string, FormPart[]]>([
    ['no field', []],
    ['a field of another name', [{ ...file, name: 'file' }]],
    ['text instead of the file', [{ name: 'profileImage', content: 'me.jpg' }]],
    ['a prototype as field name', [{ ...file, name: '__proto__' }]],
    ['too many fields', Array.from({ length: 11 }, () => ({ name: 'a', content: 'b' }))],
  ] as const)('refuses a form with %s', async ([_what, parts], { images, ann, expectUnchanged }) => {
    const { status, code } = refusalOf(await images.send(ann, parts))
    expect(status).toBe(400)
    expect(['required-field-missing', 'invalid-file']).toContain(code)
    await expectUnchanged()
  })

  it.for([
    ['JSON', { 'content-type': 'application/json' }, '{"profileImage":"x"}', 415],
    ['no type', {}, picture, 415],
    ['an image without a form', { 'content-type': 'image/jpeg' }, picture, 415],
    ['a form without a boundary', { 'content-type': 'multipart/form-data' }, 'x', 400],
    ['a form without parts', broken, 'x', 400],
    ['a form truncated in its file', broken, `${partOf('profileImage')}abc`, 400],
    ['a form truncated in another file', broken, `${partOf('file')}abc`, 400],
    ['a form truncated in a header', broken, partOf('profileImage').slice(0, 40), 400],
  ] as const)(
    'refuses %s instead of a form',
    async ([_what, headers, payload, status], { site, ann, expectUnchanged }) => {
      const reply = await site.app.inject({
        method: 'POST',
        url: '/member/profile-image',
        headers: { ...ann.headers, ...headers },
        payload,
      })
      expect(refusalOf(reply).status).toBe(status)
      await expectUnchanged()
    },
  )

  it('responds to a browser that sends megabytes of an invalid upload', async ({
    site,
    ann,
    expectUnchanged,
  }) => {
    const url = new URL('/member/profile-image', await site.listen())
    const send = async (name: string, type: string, fields = 0) => {
      const body = new FormData()
      for (let field = 0; field < fields; field += 1) body.append(`field-${field}`, 'x')
      body.append(name, new Blob([new Uint8Array(paddedTo(3_900_000))], { type }), 'me.jpg')
      const reply = await fetch(url, { method: 'POST', headers: ann.headers, body })
      return [reply.status, errorReply.parse(await reply.json()).error.code]
    }
    expect(await send('profileImage', 'text/plain')).toEqual([400, 'invalid-file-type'])
    expect(await send('file', 'image/jpeg')).toEqual([400, 'required-field-missing'])
    expect(await send('profileImage', 'image/jpeg', 12)).toEqual([400, 'invalid-file'])
    await expectUnchanged()
  })

  it('needs a session, and reads no image without one', async ({ members, images, expectUnchanged }) => {
    const reply = await images.upload({ headers: members.visitor }, picture)
    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'login-required' })
    await expectUnchanged()
  })

  it('stores no image for a member deleted during the upload', async ({
    members,
    images,
    expectUnchanged,
  }) => {
    const bea = await members.signUp()
    const large = await sharp({ create: { width: 1500, height: 1500, channels: 3, background: '#0a0' } })
      .png()
      .toBuffer()
    const [uploaded, deleted] = await Promise.all([
      images.upload(bea, large),
      members.call('DELETE', '/member', { headers: bea.headers }),
    ])
    expect(deleted.statusCode).toBe(200)
    expect([200, 401, 404]).toContain(uploaded.statusCode)
    await expectUnchanged()
  })
})
