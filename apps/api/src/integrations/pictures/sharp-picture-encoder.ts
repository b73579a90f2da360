import sharp, { type Sharp } from 'sharp'
import { createConcurrencyLimit, type QueueLimits } from './concurrency-limit.ts'
import { type DecodedPicture, decodePicture, type Pixels } from './decode-picture.ts'
import {
  type EncodedPicture,
  keptAs,
  type PictureEncoder,
  type PictureFormat,
  type PictureUse,
  type PictureVariant,
} from './picture-encoder.ts'

const encodeSeconds = 30
const queueLimits: QueueLimits = {
  editorial: { bytes: 1_000_000_000, waitMs: 60_000 },
  profile: { bytes: 100_000_000, waitMs: 10_000 },
}

/**
 * Encodes pictures with libvips, editors' first. NOTE: libvips uses Node's four threads, which file access needs too: a
 * picture takes at most two of them.
 */
export function createSharpPictureEncoder({
  heicDecoder,
  limits = queueLimits,
}: {
  /** The file of the thread that decodes HEIC pictures. */
  heicDecoder: string
  limits?: QueueLimits
}): PictureEncoder {
  const limit = createConcurrencyLimit(limits)
  // Uploads do not repeat, so a cache would only use memory.
  sharp.cache(false)
  return {
    encode: (source, use) =>
      limit(use, source instanceof Uint8Array ? source.byteLength : source.bytes, async () =>
        encodeVariants(await decodePicture(source, use, heicDecoder), use),
      ),
  }
}

async function encodeVariants(
  { width, height, pixels }: DecodedPicture,
  use: PictureUse,
): Promise<EncodedPicture> {
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
      return picture.jpeg({ quality: 78, progressive: true })
  }
}
