import { pictureWidths } from '@tidings/contracts/limits'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { heicDecoder } from '#test/content/heic.ts'
import { pngClaiming } from '#test/factories/png.ts'
import { type PictureProblem, UnreadablePictureError } from './picture-encoder.ts'
import { createSharpPictureEncoder } from './sharp-picture-encoder.ts'

const encoder = createSharpPictureEncoder({ heicDecoder })
const red = '#c03020'

/** Creates a picture of one color. */
function plain(width: number, height: number, background = red) {
  return sharp({ create: { width, height, channels: 3, background } })
}

/** Decodes the variant of this width and format. */
async function variantOf(bytes: Uint8Array, width: number, format: string) {
  const { variants } = await encoder.encode(bytes, 'editorial')
  const found = variants.find((variant) => variant.width === width && variant.format === format)
  if (!found) throw new Error(`no ${width}.${format}`)
  return { bytes: found.bytes, picture: sharp(found.bytes), metadata: await sharp(found.bytes).metadata() }
}

/** Returns red, green and blue of a pixel. */
async function colorAt(bytes: Uint8Array, left: number, top: number) {
  const { data } = await sharp(bytes)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}

function expectNear(color: number[], [red = 0, green = 0, blue = 0]: number[]) {
  expect(Math.abs((color[0] ?? 0) - red)).toBeLessThan(24)
  expect(Math.abs((color[1] ?? 0) - green)).toBeLessThan(24)
  expect(Math.abs((color[2] ?? 0) - blue)).toBeLessThan(24)
}

async function problemOf(bytes: Uint8Array): Promise<PictureProblem | undefined> {
  const error = await encoder.encode(bytes, 'editorial').catch((reason: unknown) => reason)
  return error instanceof UnreadablePictureError ? error.problem : undefined
}

describe('createSharpPictureEncoder', () => {
  it('creates every width in every format', async () => {
    const { width, height, variants } = await encoder.encode(
      await plain(1600, 1200).jpeg().toBuffer(),
      'editorial',
    )
    expect({ width, height }).toEqual({ width: 1600, height: 1200 })
    expect(variants.map((variant) => `${variant.width}.${variant.format}`).sort()).toEqual(
      pictureWidths.flatMap((name) => [`${name}.avif`, `${name}.jpeg`, `${name}.webp`]).sort(),
    )
    for (const variant of variants) {
      const metadata = await sharp(variant.bytes).metadata()
      expect(metadata.width).toBe(variant.width)
      expect(metadata.height).toBe(variant.width * 0.75)
      expect(metadata.format).toBe(variant.format === 'avif' ? 'heif' : variant.format)
    }
  })

  it.each([
    ['JPEG', plain(40, 30).jpeg()],
    ['PNG', plain(40, 30).png()],
    ['16-bit PNG', plain(40, 30).toColorspace('rgb16').png()],
    ['WebP', plain(40, 30).webp()],
    ['AVIF', plain(40, 30).avif()],
    ['GIF', plain(40, 30).gif()],
  ])('accepts a %s', async (_name, picture) => {
    const { bytes } = await variantOf(await picture.toBuffer(), 720, 'jpeg')
    expectNear(await colorAt(bytes, 20, 15), [192, 48, 32])
  })

  it('does not enlarge a narrow picture', async () => {
    const { variants } = await encoder.encode(await plain(500, 250).png().toBuffer(), 'editorial')
    const sizes = await Promise.all(
      variants.map(async (variant) => [variant.width, (await sharp(variant.bytes).metadata()).width]),
    )
    expect(new Set(sizes.map(String))).toEqual(new Set(['360,360', '720,500', '1080,500']))
  })

  it('accepts a single pixel', async () => {
    const { width, height, variants } = await encoder.encode(await plain(1, 1).png().toBuffer(), 'editorial')
    expect({ width, height, count: variants.length }).toEqual({ width: 1, height: 1, count: 9 })
  })

  it('rotates a picture upright and returns its upright size', async () => {
    const rotated = await sharp({ create: { width: 80, height: 40, channels: 3, background: '#ffffff' } })
      .composite([{ input: await plain(40, 40).png().toBuffer(), left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toBuffer()
    const { width, height } = await encoder.encode(rotated, 'editorial')
    expect({ width, height }).toEqual({ width: 40, height: 80 })
    const { bytes, metadata } = await variantOf(rotated, 360, 'jpeg')
    expect({ width: metadata.width, height: metadata.height }).toEqual({ width: 40, height: 80 })
    expectNear(await colorAt(bytes, 20, 10), [192, 48, 32])
    expectNear(await colorAt(bytes, 20, 70), [255, 255, 255])
  })

  it('removes all metadata', async () => {
    const taken = await plain(40, 30)
      .withExif({ IFD0: { Make: 'Kamera', Artist: 'Someone' }, IFD3: { GPSLatitude: '59/1 54/1 0/1' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    const before = await sharp(taken).metadata()
    expect(before.exif?.toString('latin1')).toContain('Kamera')
    expect([before.xmp, before.icc].map((part) => part !== undefined)).toEqual([true, true])

    const { variants } = await encoder.encode(taken, 'editorial')
    for (const { bytes } of variants) {
      const { exif, xmp, icc, iptc, orientation } = await sharp(bytes).metadata()
      expect({ exif, xmp, icc, iptc, orientation }).toEqual({})
      expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/Kamera|Someone|secret/)
    }
  })

  it('converts wide-gamut colors to sRGB', async () => {
    const wide = await plain(40, 30, '#00ff00').withIccProfile('p3').jpeg().toBuffer()
    const { bytes } = await variantOf(wide, 360, 'jpeg')
    expectNear(await colorAt(bytes, 20, 15), [0, 255, 0])
  })

  it('accepts CMYK', async () => {
    const printed = await plain(40, 30).toColorspace('cmyk').jpeg({ quality: 95 }).toBuffer()
    expect((await sharp(printed).metadata()).space).toBe('cmyk')
    const { bytes, metadata } = await variantOf(printed, 360, 'jpeg')
    expect(metadata.space).toBe('srgb')
    // CMYK cannot represent this red exactly.
    expectNear(await colorAt(bytes, 20, 15), [192, 48, 12])
  })

  it('accepts grayscale', async () => {
    const grey = await plain(40, 30, '#808080').greyscale().png().toBuffer()
    const { bytes } = await variantOf(grey, 360, 'webp')
    expectNear(await colorAt(bytes, 20, 15), [128, 128, 128])
  })

  it('uses the first frame of an animation', async () => {
    const frames = await Promise.all([red, '#0000ff'].map((color) => plain(40, 30, color).png().toBuffer()))
    const moving = await sharp(frames, { join: { animated: true } })
      .gif({ delay: [100, 100] })
      .toBuffer()
    expect((await sharp(moving).metadata()).pages).toBe(2)
    const { bytes, metadata } = await variantOf(moving, 360, 'jpeg')
    expect({ width: metadata.width, height: metadata.height }).toEqual({ width: 40, height: 30 })
    expectNear(await colorAt(bytes, 20, 15), [192, 48, 32])
  })

  it('removes data appended to a picture', async () => {
    const both = Buffer.concat([
      await plain(40, 30).jpeg().toBuffer(),
      Buffer.from('<script>alert(1)</script>PK\x03\x04'),
    ])
    const { variants } = await encoder.encode(both, 'editorial')
    for (const { bytes } of variants) expect(Buffer.from(bytes).toString('latin1')).not.toContain('alert(1)')
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>')],
    ['a page that begins like a GIF in name only', Buffer.from('GIF8<script>alert(1)</script>')],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj')],
    ['words', Buffer.from('not a picture')],
  ])('rejects %s because it is not a picture', async (_name, bytes) => {
    expect(await problemOf(bytes)).toBe('unknown-format')
  })

  it('rejects TIFF', async () => {
    expect(await problemOf(await plain(9, 9).tiff().toBuffer())).toBe('unknown-format')
  })

  it.each([
    ['script', Buffer.from('GIF89a=1;alert(1)//')],
    ['zeros', Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), Buffer.alloc(400)])],
  ])('rejects a picture header followed by %s as damaged', async (_name, bytes) => {
    expect(await problemOf(bytes)).toBe('damaged')
  })

  it('rejects a truncated picture', async () => {
    const whole = await plain(400, 300)
      .composite([
        {
          input: {
            create: {
              width: 200,
              height: 200,
              channels: 3,
              background: '#fff',
              noise: { type: 'gaussian', mean: 99, sigma: 50 },
            },
          },
        },
      ])
      .jpeg()
      .toBuffer()
    expect(await problemOf(whole.subarray(0, whole.length / 2))).toBe('damaged')
  })

  it('rejects a small file with too many pixels', async () => {
    expect(await problemOf(pngClaiming(50_000, 50_000))).toBe('too-many-pixels')
  })

  it('encodes a profile image small, in the cheap formats', async () => {
    const { width, height, variants } = await encoder.encode(
      await plain(1600, 2400).jpeg().toBuffer(),
      'profile',
    )
    expect({ width, height }).toEqual({ width: 1600, height: 2400 })
    const sizes = variants.map(async ({ bytes, ...variant }) => {
      const metadata = await sharp(bytes).metadata()
      return [variant.width, variant.format, metadata.width, metadata.height]
    })
    expect(await Promise.all(sizes)).toEqual([
      [360, 'webp', 360, 540],
      [360, 'jpeg', 360, 540],
      [720, 'webp', 480, 720],
      [720, 'jpeg', 480, 720],
    ])
  })

  it('limits a profile image to fewer pixels in formats that are decoded in full', async () => {
    const large = await plain(4000, 3200).png({ compressionLevel: 1 }).toBuffer()
    await expect(encoder.encode(large, 'profile')).rejects.toMatchObject({ problem: 'too-many-pixels' })
  })

  it('rejects members’ uploads when their queue is full, and encodes an editor’s next', async () => {
    const picture = await plain(40, 30).png().toBuffer()
    const roomForOne = { bytes: picture.byteLength, waitMs: 60_000 }
    const busy = createSharpPictureEncoder({
      heicDecoder,
      limits: { editorial: roomForOne, profile: roomForOne },
    })
    const members = [1, 2, 3].map(() => busy.encode(picture, 'profile').catch((error: unknown) => error))
    expect((await busy.encode(picture, 'editorial')).variants).toHaveLength(9)
    expect(await Promise.all(members)).toMatchObject([{ width: 40 }, { width: 40 }, { code: 'service-busy' }])
  })

  it('rejects an elongated picture', async () => {
    expect(await problemOf(await plain(3000, 20).png().toBuffer())).toBe('too-long')
  })
})
