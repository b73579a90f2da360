import { deskMedia } from '@tidings/contracts/desk/media'
import { dataOf } from '@tidings/contracts/envelope'
import sharp from 'sharp'
import { describe, expect } from 'vitest'
import { createDeskUploads } from '#test/content/desk-uploads.ts'
import { heicFile } from '#test/content/heic.ts'
import { refusalOf } from '#test/desk.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { pngClaiming } from '#test/factories/png.ts'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest().extend('upload', { scope: 'file' }, ({ site }) => createDeskUploads(site).file)

const accepted = dataOf(deskMedia)

describe('the limits of POST /desk/v1/media', () => {
  it('are 20,000,000 bytes, which the message names', async ({ upload }) => {
    const picture = await jpegPicture(400, 300)
    const paddedTo = (bytes: number) => Buffer.concat([picture, Buffer.alloc(bytes - picture.byteLength)])

    expect(accepted.parse((await upload(paddedTo(20_000_000))).json()).data.bytes).toBe(20_000_000)
    expect(refusalOf(await upload(paddedTo(20_000_001)))).toEqual({
      status: 413,
      code: 'file-size-too-large',
      message: 'This file is larger than 20 MB (20,000,000 bytes). Make the picture smaller and try again.',
    })
  })

  it('are 50 megapixels, which the message names', async ({ upload }) => {
    const large = await sharp({ create: { width: 10_000, height: 5000, channels: 3, background: '#a6402b' } })
      .jpeg()
      .toBuffer()

    expect(accepted.parse((await upload(large)).json()).data).toMatchObject({ width: 10_000, height: 5000 })
    expect(refusalOf(await upload(pngClaiming(10_000, 5001)))).toEqual({
      status: 400,
      code: 'invalid-file',
      message: 'This picture has more than 50 megapixels. Make it smaller and try again.',
    })
  })

  it('are in the API reference', async ({ site }) => {
    const reply = await site.app.inject('/openapi.json')
    const { description, responses } = reply.json().paths['/desk/v1/media'].post
    expect(description).toContain('at most 20 MB (20,000,000 bytes) and 50 megapixels')
    expect(responses['413'].description).toBe('The file is larger than 20 MB (20,000,000 bytes)')
  })
})

describe('a HEIC picture at POST /desk/v1/media', () => {
  it('is accepted', async ({ upload }) => {
    const heic = await heicFile('display-p3-rotated')
    const { data } = accepted.parse((await upload(heic)).json())
    expect(data).toMatchObject({ width: 64, height: 96, bytes: heic.byteLength })
  })

  it.for([
    ['heic', 'mif1'],
    ['mif1', 'heic'],
  ])('that cannot be read is refused with a way out: %s', async ([brand, compatible], { upload }) => {
    const heic = Buffer.from(`\0\0\0\x14ftyp${brand}\0\0\0\0${compatible}`, 'latin1')
    expect(refusalOf(await upload(heic))).toEqual({
      status: 415,
      code: 'unsupported-media-type',
      message: 'We couldn’t read this HEIC picture. Save it as JPEG and try again.',
    })
  })
})
