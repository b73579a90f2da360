import sharp, { type Metadata, type Sharp } from 'sharp'
import { createConcurrencyLimit, type QueueLimits } from './concurrency-limit.ts'
import {
  type EncodedPicture,
  keptAs,
  type PictureEncoder,
  type PictureFormat,
  type PictureUse,
  type PictureVariant,
  UnreadablePictureError,
} from './picture-encoder.ts'
import { type PictureKind, readPictureSignature } from './picture-signature.ts'
import { keepPixelChunks } from './png-chunks.ts'

const mostPixels = 40_000_000
// libvips shrinks JPEGs while it decodes them; it decodes other formats in full.
const mostPixelsOfProfile = 12_000_000
const longestRatio = 10
const decodeSeconds = 20
const encodeSeconds = 30
const queueLimits: QueueLimits = {
  editorial: { length: 24, waitMs: 60_000 },
  profile: { length: 8, waitMs: 10_000 },
}

type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 }

/**
 * Encodes pictures with libvips, editors' first. NOTE: libvips uses Node's four threads, which file access needs too: an
 * editor's picture takes at most two of them, a member's one.
 */
export function createSharpPictureEncoder(limits = queueLimits): PictureEncoder {
  const limit = createConcurrencyLimit(limits)
  // Uploads do not repeat, so a cache would only use memory.
  sharp.cache(false)
  return { encode: (bytes, use) => limit(use, () => encode(bytes, use)) }
}

async function encode(upload: Uint8Array, use: PictureUse): Promise<EncodedPicture> {
  const kind = readPictureSignature(upload)
  if (!kind) throw new UnreadablePictureError('unknown-format')
  const bytes = kind === 'png' ? keepPixelChunks(upload) : upload
  const { width, height } = await measure(bytes, kind, use)
  const pixels = await decode(bytes, use)
  const { widths: names } = keptAs[use]
  const encoded = new Map<number, PictureVariant[]>()
  for (const width of new Set(names.map((name) => Math.min(name, pixels.width)))) {
    encoded.set(width, await encodeWidth(pixels, width, use))
  }
  const variants = names.flatMap((name) =>
    (encoded.get(Math.min(name, pixels.width)) ?? []).map((variant) => ({ ...variant, width: name })),
  )
  return { width, height, variants }
}

/** Encodes one width in every format. AVIF takes longest, so the others run beside it. */
async function encodeWidth(pixels: Pixels, width: number, use: PictureUse): Promise<PictureVariant[]> {
  async function oneByOne(formats: readonly PictureFormat[]): Promise<PictureVariant[]> {
    const variants: PictureVariant[] = []
    for (const format of formats) variants.push(await shrink(pixels, width, format))
    return variants
  }
  const { formats } = keptAs[use]
  const [slow, quick] = await Promise.all([
    oneByOne(formats.filter((format) => format === 'avif')),
    oneByOne(formats.filter((format) => format !== 'avif')),
  ])
  return [...slow, ...quick]
}

/** Returns the upright size from the metadata. Throws if the picture is not worth decoding. */
async function measure(
  bytes: Uint8Array,
  kind: PictureKind,
  use: PictureUse,
): Promise<{ width: number; height: number }> {
  const metadata = await readable(sharp(bytes, { limitInputPixels: false }).metadata())
  if (!isOfKind(metadata, kind)) throw new UnreadablePictureError('unknown-format')

  const { width, height } = metadata.autoOrient
  const most = use === 'profile' && kind !== 'jpeg' ? mostPixelsOfProfile : mostPixels
  if (width * height > most) throw new UnreadablePictureError('too-many-pixels')
  if (Math.max(width, height) > longestRatio * Math.min(width, height))
    throw new UnreadablePictureError('too-long')
  return { width, height }
}

function isOfKind({ format, compression }: Metadata, kind: PictureKind): boolean {
  return kind === 'avif' ? format === 'heif' && compression === 'av1' : format === kind
}

/** Decodes the first frame, upright, in 8-bit sRGB, no larger than the variants need, without metadata. */
async function decode(bytes: Uint8Array, use: PictureUse): Promise<Pixels> {
  const width = Math.max(...keptAs[use].widths)
  const box = use === 'profile' ? { width, height: width } : { width }
  const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 })
    .autoOrient()
    .resize({ ...box, fit: 'inside', withoutEnlargement: true })
    .toColorspace('srgb')
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

async function readable<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding
  } catch (error) {
    const isTimeout = error instanceof Error && error.message.includes('timeout')
    throw new UnreadablePictureError(isTimeout ? 'too-slow' : 'damaged', error)
  }
}
