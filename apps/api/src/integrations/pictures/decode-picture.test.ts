import sharp, { type Color, type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { heicDecoder } from '#test/content/heic.ts'
import { grayProfile, profileOf } from '#test/factories/color-profiles.ts'
import { exifOf, type PngForm, pngChunk, pngClaiming, pngOf, profileChunk } from '#test/factories/png.ts'
import { decodePicture } from './decode-picture.ts'
import type { PictureUse } from './picture-encoder.ts'

const color = [200, 100, 50, 255]
/** The color above, read as Display P3, in sRGB. */
const wide = [215, 93, 32]
const same = [200, 100, 50]
const [p3, srgb, cmyk] = await Promise.all([profileOf('p3'), profileOf('srgb'), profileOf('cmyk')])
const linearGray = grayProfile(1)

const decode = (upload: Uint8Array, use: PictureUse = 'editorial') => decodePicture(upload, use, heicDecoder)

/** Returns red, green and blue of the first pixel. */
async function colorOf(upload: Uint8Array): Promise<number[]> {
  const { pixels } = await decode(upload)
  return [...pixels.data.subarray(0, 3)]
}

function expectNear(actual: number[], expected: readonly number[], steps = 1) {
  const distance = actual.map((value, index) => Math.abs(value - (expected[index] ?? Number.NaN)))
  expect(Math.max(...distance), `${actual} is not ${expected}`).toBeLessThanOrEqual(steps)
}

/** Creates a PNG of one color with a profile. */
function pngWith(profile: Buffer, form: Partial<PngForm> = {}): Buffer {
  return pngOf({ pixel: color, ...form, before: [profileChunk(profile), ...(form.before ?? [])] })
}

/** Creates a picture whose numbers are `color` in the space of its profile. */
function numbersIn(profile: Buffer, form: Partial<PngForm> = {}) {
  return sharp(pngWith(profile, { width: 64, height: 64, ...form })).keepIccProfile()
}

describe('colors of decodePicture', () => {
  const palette = pngChunk('PLTE', Buffer.from([9, 9, 9, 200, 100, 50]))
  it.each<[string, Buffer, readonly number[]]>([
    ['PNG in Display P3', pngWith(p3), wide],
    ['transparent PNG in Display P3', pngWith(p3, { color: 'rgba' }), wide],
    ['16-bit PNG in Display P3', pngWith(p3, { depth: 16 }), wide],
    ['transparent 16-bit PNG in Display P3', pngWith(p3, { depth: 16, color: 'rgba' }), wide],
    ['palette PNG in Display P3', pngWith(p3, { color: 'palette', pixel: [1], before: [palette] }), wide],
    ['PNG that also says sRGB', pngWith(p3, { before: [pngChunk('sRGB', Buffer.alloc(1))] }), wide],
    ['PNG in sRGB', pngWith(srgb), same],
    ['16-bit PNG in sRGB', pngWith(srgb, { depth: 16 }), same],
    ['PNG without a profile', pngOf({ pixel: color }), same],
    ['16-bit PNG without a profile', pngOf({ pixel: color, depth: 16 }), same],
    ['gray PNG of gamma 1', pngWith(linearGray, { color: 'gray', pixel: [64] }), [137, 137, 137]],
    [
      'gray 16-bit PNG of gamma 1',
      pngWith(linearGray, { color: 'gray', depth: 16, pixel: [64] }),
      [137, 137, 137],
    ],
    ['gray 16-bit PNG', pngOf({ color: 'gray', depth: 16, pixel: [64] }), [64, 64, 64]],
    [
      'transparent gray PNG of gamma 1',
      pngWith(linearGray, { color: 'gray+alpha', pixel: [64, 255] }),
      [137, 137, 137],
    ],
    [
      'transparent gray 16-bit PNG',
      pngOf({ color: 'gray+alpha', depth: 16, pixel: [64, 255] }),
      [64, 64, 64],
    ],
  ])('are sRGB for a %s', async (_name, png, expected) => {
    expectNear(await colorOf(png), expected)
  })

  it.each<[string, () => Sharp]>([
    ['JPEG', () => numbersIn(p3).jpeg({ quality: 100, chromaSubsampling: '4:4:4' })],
    ['WebP', () => numbersIn(p3).webp({ lossless: true })],
    ['AVIF', () => numbersIn(p3).avif({ quality: 100, chromaSubsampling: '4:4:4' })],
    [
      'AVIF of 10 bits',
      () => numbersIn(p3, { depth: 16 }).toColorspace('rgb16').avif({ quality: 100, bitdepth: 10 }),
    ],
    [
      'AVIF of 12 bits',
      () => numbersIn(p3, { depth: 16 }).toColorspace('rgb16').avif({ quality: 100, bitdepth: 12 }),
    ],
  ])('are sRGB for a %s in Display P3', async (_name, picture) => {
    expectNear(await colorOf(await picture().toBuffer()), wide, 3)
  })

  it('are sRGB for an AVIF of 10 bits in sRGB', async () => {
    const picture = numbersIn(srgb, { depth: 16 }).toColorspace('rgb16').avif({ quality: 100, bitdepth: 10 })
    expectNear(await colorOf(await picture.toBuffer()), same, 3)
  })

  it.each([
    ['ends early', p3.subarray(0, 100)],
    ['is a text', Buffer.from('not a profile')],
    ['states another length', Buffer.concat([Buffer.from([0, 0, 0, 99]), p3.subarray(4)])],
    ['describes print', cmyk],
    ['describes gray', linearGray],
    ['is too large', Buffer.alloc(5_000_000)],
    ['has noise behind its header', Buffer.concat([p3.subarray(0, 128), Buffer.alloc(352, 'noise')])],
  ])('are the numbers themselves if the profile %s', async (_name, profile) => {
    expectNear(await colorOf(pngWith(profile)), same)
    expectNear(await colorOf(pngWith(profile, { depth: 16 })), same)
  })
})

/** A picture with red to the left of blue, which orientation 6 turns to red above blue. */
const upright = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'blue' } })
  .composite([
    { input: { create: { width: 20, height: 20, channels: 3, background: 'red' } }, left: 0, top: 0 },
  ])
  .png()
  .toBuffer()

describe('orientation of decodePicture', () => {
  const turned = () => sharp(upright).withMetadata({ orientation: 6 })
  const exif = pngChunk('eXIf', exifOf(6))
  const insert = (at: number) => Buffer.concat([upright.subarray(0, at), exif, upright.subarray(at)])

  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ['JPEG', () => turned().jpeg().toBuffer()],
    ['PNG', () => insert(33)],
    ['PNG with EXIF behind its pixels', () => insert(upright.length - 12)],
    ['PNG of 16 bits', () => turned().toColorspace('rgb16').png().toBuffer()],
    ['WebP', () => turned().webp().toBuffer()],
    ['AVIF', () => turned().avif().toBuffer()],
  ])('is upright for a %s', async (_name, create) => {
    const { width, height, pixels } = await decode(await create())
    expect({ width, height, pixels }).toMatchObject({
      width: 20,
      height: 40,
      pixels: { width: 20, height: 40, channels: 3 },
    })
    expectNear([...pixels.data.subarray(0, 3)], [255, 0, 0], 24)
    expectNear([...pixels.data.subarray(-3)], [0, 0, 255], 24)
  })

  it.each([
    ['16-bit PNG', 16],
    ['PNG', 8],
  ] as const)('keeps the colors of a %s in Display P3, however often it is read', async (_name, depth) => {
    const turnedWide = pngWith(p3, { depth, before: [exif] })
    for (let reading = 0; reading < 50; reading += 1) expectNear(await colorOf(turnedWide), wide)
  })

  it('is as it is stored if the EXIF is no EXIF', async () => {
    const broken = pngOf({ pixel: color, before: [pngChunk('eXIf', Buffer.from('II*\0 and then noise'))] })
    expect(await decode(broken)).toMatchObject({ width: 16, height: 8 })
  })
})

describe('ground of decodePicture', () => {
  const clear = { r: 0, g: 0, b: 0, alpha: 0 }
  /** Creates a square of a color in the middle of a transparent picture. */
  const drawing = (background: Color) =>
    sharp({ create: { width: 40, height: 40, channels: 4, background: clear } }).composite([
      { input: { create: { width: 20, height: 20, channels: 4, background } }, left: 10, top: 10 },
    ])
  async function lookOf(upload: Buffer) {
    const { pixels } = await decode(upload)
    const at = (x: number, y: number) => {
      const start = (y * pixels.width + x) * pixels.channels
      return [...pixels.data.subarray(start, start + 3)]
    }
    return { channels: pixels.channels, corner: at(0, 0), middle: at(20, 20) }
  }

  it.each<[string, () => Sharp]>([
    ['PNG', () => drawing('black').png()],
    ['palette PNG', () => drawing('black').png({ palette: true })],
    ['16-bit PNG', () => drawing('black').toColorspace('rgb16').png()],
    ['gray PNG', () => drawing('black').toColorspace('b-w').png()],
    ['WebP', () => drawing('black').webp()],
    ['AVIF', () => drawing('black').avif()],
    ['GIF', () => drawing('black').gif()],
  ])('is white under a black drawing in a %s', async (_name, picture) => {
    const { channels, corner, middle } = await lookOf(await picture().toBuffer())
    expect(channels).toBe(3)
    expectNear(corner, [255, 255, 255], 4)
    expectNear(middle, [0, 0, 0], 8)
  })

  it.each([
    ['white', { r: 255, g: 255, b: 255 }, [0x16, 0x15, 0x13]],
    ['pale gray', { r: 225, g: 225, b: 225 }, [0x16, 0x15, 0x13]],
    ['yellow', { r: 255, g: 230, b: 0 }, [255, 255, 255]],
  ] as const)('shows a %s drawing', async (_name, background, ground) => {
    expectNear((await lookOf(await drawing(background).png().toBuffer())).corner, ground)
  })

  it('is white where nothing is drawn', async () => {
    expectNear((await lookOf(await drawing(clear).png().toBuffer())).corner, [255, 255, 255])
  })

  it('shines through evenly', async () => {
    expectNear(await colorOf(pngOf({ color: 'rgba', pixel: [0, 0, 0, 128] })), [127, 127, 127])
  })
})

describe('limits of decodePicture', () => {
  const problem = (max: number) => ({
    problem: 'too-many-pixels',
    message: `This picture has more than ${max} megapixels. Make it smaller and try again.`,
  })

  it('accepts 50 megapixels', async () => {
    const upload = await sharp({ create: { width: 10_000, height: 5000, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 1 })
      .toBuffer()
    const { width, height, pixels } = await decode(upload)
    expect([width, height, pixels.width, pixels.height]).toEqual([10_000, 5000, 1080, 540])
  })

  it('names the limit to editors and to members', async () => {
    const upload = pngClaiming(10_000, 5001)
    await expect(decode(upload)).rejects.toMatchObject(problem(50))
    await expect(decode(upload, 'profile')).rejects.toMatchObject(problem(12))
  })
})
