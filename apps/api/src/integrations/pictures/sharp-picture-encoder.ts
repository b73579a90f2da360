import { pictureWidths } from '@tidings/contracts/limits'
import sharp, { type Metadata, type Sharp } from 'sharp'
import {
  type EncodedPicture,
  type PictureEncoder,
  type PictureFormat,
  type PictureVariant,
  UnreadablePictureError,
} from './picture-encoder.ts'
import { type PictureKind, readPictureSignature } from './picture-signature.ts'
import { createTurns } from './turns.ts'

const mostPixels = 40_000_000
const longestSides = 10
const decodeSeconds = 20
const encodeSeconds = 30
const widest = Math.max(...pictureWidths)
const formats: readonly PictureFormat[] = ['avif', 'webp', 'jpeg']

type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 }

/** Encodes pictures with libvips, at most `atOnce` of them at a time. */
export function createSharpPictureEncoder({ atOnce = 1 }: { atOnce?: number } = {}): PictureEncoder {
  const turn = createTurns(atOnce)
  // Uploads do not repeat, so what libvips would remember is only memory lost.
  sharp.cache(false)
  return { encode: (bytes) => turn(() => encode(bytes)) }
}

async function encode(bytes: Uint8Array): Promise<EncodedPicture> {
  const { width, height } = await measure(bytes)
  const pixels = await decode(bytes)
  const widths = [...new Set(pictureWidths.map((name) => Math.min(name, pixels.width)))]
  const encoded = new Map<number, PictureVariant[]>()
  for (const width of widths)
    encoded.set(width, await Promise.all(formats.map((format) => shrink(pixels, width, format))))

  const variants = pictureWidths.flatMap((name) =>
    (encoded.get(Math.min(name, pixels.width)) ?? []).map((variant) => ({ ...variant, width: name })),
  )
  return { width, height, variants }
}

/** The upright size, once the file's own head says that it is a picture worth decoding. */
async function measure(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  const kind = readPictureSignature(bytes)
  if (!kind) throw new UnreadablePictureError('unknown-format')
  const metadata = await readable(sharp(bytes, { limitInputPixels: false }).metadata())
  if (!isOfKind(metadata, kind)) throw new UnreadablePictureError('unknown-format')

  const { width, height } = metadata.autoOrient
  if (width * height > mostPixels) throw new UnreadablePictureError('too-many-pixels')
  if (Math.max(width, height) > longestSides * Math.min(width, height))
    throw new UnreadablePictureError('too-long')
  return { width, height }
}

function isOfKind({ format, compression }: Metadata, kind: PictureKind): boolean {
  return kind === 'avif' ? format === 'heif' && compression === 'av1' : format === kind
}

/** The first frame, upright, in 8-bit sRGB, no wider than the widest variant. Everything but the pixels ends here. */
async function decode(bytes: Uint8Array): Promise<Pixels> {
  const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 })
    .autoOrient()
    .resize({ width: widest, withoutEnlargement: true })
    .toColourspace('srgb')
    .timeout({ seconds: decodeSeconds })
  const { data, info } = await readable(picture.raw().toBuffer({ resolveWithObject: true }))
  return { data, width: info.width, height: info.height, channels: info.channels }
}

async function shrink(pixels: Pixels, width: number, format: PictureFormat): Promise<PictureVariant> {
  const { data, ...raw } = pixels
  const picture = sharp(data, { raw }).resize({ width }).timeout({ seconds: encodeSeconds })
  return { width, format, bytes: await compress(picture, format).toBuffer() }
}

function compress(picture: Sharp, format: PictureFormat): Sharp {
  switch (format) {
    case 'avif':
      return picture.avif({ quality: 52, effort: 3 })
    case 'webp':
      return picture.webp({ quality: 76, effort: 4 })
    case 'jpeg':
      return picture.flatten({ background: 'white' }).jpeg({ quality: 78, progressive: true })
  }
}

/** Says in our words why a picture could not be read. */
async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    const isTimeout = error instanceof Error && error.message.includes('timeout')
    throw new UnreadablePictureError(isTimeout ? 'too-slow' : 'damaged', error)
  }
}
