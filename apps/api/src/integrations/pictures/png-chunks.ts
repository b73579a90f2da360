import { crc32, deflateSync, inflateSync } from 'node:zlib'

const pixelChunks = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'cICP'])

// Table profiles of printers and scanners have up to 2 MB.
const maxProfileBytes = 4_000_000
const maxExifBytes = 1_000_000

// Behind the signature and the header's chunk.
const headerEnd = 33

type Chunk = { type: string; start: number; end: number }

/**
 * Keeps the chunks that say how a PNG looks, with a bounded color profile and EXIF. Removes the others: a few compressed
 * kilobytes of text can expand to gigabytes.
 */
export function keepVisualChunks(bytes: Uint8Array): Uint8Array {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const profile = findChunk(png, 'iCCP', isBoundedProfile)
  const exif = findChunk(png, 'eXIf', (data) => data.length <= maxExifBytes)

  const kept = Buffer.alloc(png.length)
  let size = png.copy(kept, 0, 0, 8)
  for (const { type, start, end } of chunksOf(png)) {
    if (!pixelChunks.has(type)) continue
    size += png.copy(kept, size, start, end)
    if (type !== 'IHDR') continue
    // libvips reads what precedes the pixels only, and EXIF may follow them.
    for (const chunk of [profile, exif]) {
      if (chunk !== undefined) size += png.copy(kept, size, chunk.start, chunk.end)
    }
  }
  return kept.subarray(0, size)
}

/** Adds a color profile behind the header of a PNG that has none, unless it is larger than the bound. */
export function insertProfile(png: Buffer, profile: Uint8Array): Buffer {
  if (profile.length > maxProfileBytes) return png
  const body = Buffer.concat([Buffer.from('iCCPprofile\0\0', 'latin1'), deflateSync(profile, { level: 1 })])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length - 4)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([png.subarray(0, headerEnd), length, body, checksum, png.subarray(headerEnd)])
}

function* chunksOf(png: Buffer): Generator<Chunk> {
  for (let start = 8; start + 12 <= png.length; ) {
    // Length, type, data, checksum.
    const end = start + 12 + png.readUInt32BE(start)
    yield { type: png.toString('latin1', start + 4, start + 8), start, end }
    start = end
  }
}

function findChunk(png: Buffer, wanted: string, isUsable: (data: Buffer) => boolean): Chunk | undefined {
  for (const chunk of chunksOf(png)) {
    const { type, start, end } = chunk
    if (type !== wanted) continue
    return end <= png.length && isUsable(png.subarray(start + 8, end - 4)) ? chunk : undefined
  }
  return undefined
}

/** Returns whether a profile inflates whole within the bound. Its data: name, zero, method, compressed profile. */
function isBoundedProfile(data: Buffer): boolean {
  const nameEnd = data.indexOf(0)
  if (nameEnd === -1) return false
  try {
    return inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: maxProfileBytes }).length > 0
  } catch {
    return false
  }
}
