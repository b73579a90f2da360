import { crc32, deflateSync } from 'node:zlib'

const channelsOf = { gray: 1, rgb: 3, palette: 1, 'gray+alpha': 2, rgba: 4 }
const codeOf = { gray: 0, rgb: 2, palette: 3, 'gray+alpha': 4, rgba: 6 }

export type PngForm = {
  width?: number
  height?: number
  color?: keyof typeof channelsOf
  depth?: 8 | 16
  /** One pixel, which every other repeats, in eight bits per sample. */
  pixel: readonly number[]
  /** Chunks between the header and the pixels. */
  before?: readonly Buffer[]
  /** Chunks behind the pixels. */
  after?: readonly Buffer[]
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Creates a PNG of one color, chunk by chunk: sharp can't write every kind. */
export function pngOf(form: PngForm): Buffer {
  const { width = 16, height = 8, color = 'rgb', depth = 8, pixel, before = [], after = [] } = form
  const bytesPerSample = depth / 8
  // In sixteen bits, 200 is 200 × 257: the same byte twice.
  const samples = pixel.slice(0, channelsOf[color]).flatMap((sample) => Array(bytesPerSample).fill(sample))
  const row = Buffer.concat([Buffer.alloc(1), ...Array(width).fill(Buffer.from(samples))])
  const header = pngHeader(width, height, [depth, codeOf[color]])
  const rows = Buffer.concat(Array(height).fill(row))
  return joined([header, ...before, pngChunk('IDAT', deflateSync(rows)), ...after])
}

/** Creates a small PNG with this size in its header. */
export function pngClaiming(width: number, height: number): Buffer {
  return joined([pngHeader(width, height, [1, 0]), pngChunk('IDAT', deflateSync(Buffer.alloc(1_000_000)))])
}

function joined(chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([signature, ...chunks, pngChunk('IEND', Buffer.alloc(0))])
}

function pngHeader(width: number, height: number, form: readonly [depth: number, color: number]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set(form, 8)
  return pngChunk('IHDR', header)
}

/** Encodes a PNG chunk: length, type, data, checksum. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Encodes the chunk of a color profile. */
export function profileChunk(profile: Uint8Array): Buffer {
  return pngChunk('iCCP', Buffer.concat([Buffer.from('profile\0\0', 'latin1'), deflateSync(profile)]))
}

/** Encodes EXIF with an orientation. */
export function exifOf(orientation: number): Buffer {
  const exif = Buffer.alloc(26)
  exif.write('II*\0', 'latin1')
  exif.writeUInt32LE(8, 4)
  exif.writeUInt16LE(1, 8)
  exif.writeUInt16LE(0x112, 10)
  exif.writeUInt16LE(3, 12)
  exif.writeUInt32LE(1, 14)
  exif.writeUInt16LE(orientation, 18)
  return exif
}
