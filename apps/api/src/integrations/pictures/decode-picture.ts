import { open as openFile, readFile } from 'node:fs/promises'
import { limits } from '@tidings/contracts/limits'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { decodeHeic } from './decode-heic.ts'
import { keptAs, type PictureSource, type PictureUse, UnreadablePictureError } from './picture-encoder.ts'
import { type PictureKind, readPictureSignature, signatureBytes } from './picture-signature.ts'
import { insertProfile, keepVisualChunks } from './png-chunks.ts'

/** Pixels in 8-bit sRGB. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 }

/** A decoded upload. The size is the upright original's. */
export type DecodedPicture = { width: number; height: number; pixels: Pixels }

const million = 1_000_000
const maxOfDesk = limits.deskPictureMegapixels * million
const maxPixels = {
  editorial: { jpeg: maxOfDesk, heic: maxOfDesk, other: maxOfDesk },
  // libvips shrinks JPEGs while it decodes them; it decodes other formats in full. Phones take HEICs of 24 megapixels.
  profile: { jpeg: 40 * million, heic: 25 * million, other: 12 * million },
}
const longestRatio = 10
const decodeSeconds = 20

// The paper of the pages, light and dark.
const grounds = { light: '#ffffff', dark: '#161513' }
// Of 255 steps in red, green or blue. Less is hard to see.
const visibleContrast = 64

/** A file that libvips reads, with the size of the upright original. */
type Source = { input: string | Uint8Array; metadata: Metadata; width: number; height: number }

/**
 * Decodes the first frame, upright, in 8-bit sRGB, opaque, no larger than the variants need, without metadata. Throws
 * `UnreadablePictureError`.
 */
export async function decodePicture(
  upload: PictureSource,
  use: PictureUse,
  heicDecoder: string,
): Promise<DecodedPicture> {
  const kind = readPictureSignature(await readStart(upload))
  if (kind === null) throw new UnreadablePictureError('unknown-format')
  const max = maxPixels[use][kind === 'jpeg' || kind === 'heic' ? kind : 'other']
  const source = kind === 'heic' ? await openHeic(upload, use, heicDecoder) : await open(upload, kind)
  const { input, metadata, width, height } = source
  if (width * height > max) throw new UnreadablePictureError('too-many-pixels', { maxPixels: max })
  if (Math.max(width, height) > longestRatio * Math.min(width, height))
    throw new UnreadablePictureError('too-long')

  const shallow = metadata.depth === 'ushort' ? await toEightBits(input, metadata, use) : input
  const pixels = await toPixels(shrunk(shallow, use).toColorspace('srgb'))
  return { width, height, pixels: await flatten(pixels) }
}

async function readStart(upload: PictureSource): Promise<Uint8Array> {
  if (upload instanceof Uint8Array) return upload
  await using file = await openFile(upload.path)
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(signatureBytes) })
  return buffer.subarray(0, bytesRead)
}

async function readAll(upload: PictureSource): Promise<Uint8Array> {
  return upload instanceof Uint8Array ? upload : await readFile(upload.path)
}

async function open(upload: PictureSource, kind: PictureKind): Promise<Source> {
  const whole = upload instanceof Uint8Array ? upload : upload.path
  const input = kind === 'png' ? keepVisualChunks(await readAll(upload)) : whole
  const metadata = await readable(sharp(input, { limitInputPixels: false }).metadata())
  if (!isOfKind(metadata, kind)) throw new UnreadablePictureError('unknown-format')
  return { input, metadata, ...metadata.autoOrient }
}

async function openHeic(upload: PictureSource, use: PictureUse, decoder: string): Promise<Source> {
  const max = maxPixels[use].heic
  const result = await decodeHeic(decoder, { bytes: await readAll(upload), ...boxOf(use), maxPixels: max })
  if ('problem' in result) throw new UnreadablePictureError(result.problem, { maxPixels: max })
  const { png: input, width, height } = result
  return { input, metadata: await readable(sharp(input).metadata()), width, height }
}

function isOfKind({ format, compression }: Metadata, kind: PictureKind): boolean {
  return kind === 'avif' ? format === 'heif' && compression === 'av1' : format === kind
}

/** Returns the box that the largest variant fits in. */
function boxOf(use: PictureUse): { width: number; height?: number } {
  const width = Math.max(...keptAs[use].widths)
  return use === 'profile' ? { width, height: width } : { width }
}

function shrunk(input: string | Uint8Array, use: PictureUse, { ignoreIcc = false } = {}): Sharp {
  // Where the header is wrong about the size, libvips stops here.
  const limitInputPixels = Math.max(maxPixels[use].jpeg, maxPixels[use].other)
  return sharp(input, { limitInputPixels, ignoreIcc, failOn: 'error', pages: 1, sequentialRead: true })
    .autoOrient()
    .resize({ ...boxOf(use), fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: decodeSeconds })
}

/**
 * Shrinks a picture of 10 to 16 bits and keeps its profile: sharp converts such colors to Display P3 or not at all.
 * NOTE: `keepIccProfile` of sharp 0.35 writes freed memory into a picture that it rotates.
 */
async function toEightBits(
  input: string | Uint8Array,
  { channels, icc }: Metadata,
  use: PictureUse,
): Promise<Buffer> {
  const numbers = shrunk(input, use, { ignoreIcc: true }).toColorspace(channels < 3 ? 'b-w' : 'srgb')
  const png = await readable(numbers.png({ compressionLevel: 1 }).toBuffer())
  return icc === undefined ? png : insertProfile(png, icc)
}

/** Puts a picture with transparency on white, or on a dark ground if white hides it and the dark doesn't. */
async function flatten(pixels: Pixels): Promise<Pixels> {
  if (pixels.channels === 1 || pixels.channels === 3) return pixels
  const light = await onGround(pixels, grounds.light)
  if (await hasContrast(light)) return light
  const dark = await onGround(pixels, grounds.dark)
  return (await hasContrast(dark)) ? dark : light
}

async function onGround({ data, ...raw }: Pixels, background: string): Promise<Pixels> {
  return await toPixels(sharp(data, { raw }).flatten({ background }))
}

async function hasContrast({ data, ...raw }: Pixels): Promise<boolean> {
  const { channels } = await sharp(data, { raw }).stats()
  return channels.some(({ min, max }) => max - min >= visibleContrast)
}

async function toPixels(picture: Sharp): Promise<Pixels> {
  const { data, info } = await readable(picture.raw().toBuffer({ resolveWithObject: true }))
  return { data, width: info.width, height: info.height, channels: info.channels }
}

async function readable<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding
  } catch (cause) {
    const isTimeout = cause instanceof Error && cause.message.includes('timeout')
    throw new UnreadablePictureError(isTimeout ? 'too-slow' : 'damaged', { cause })
  }
}
