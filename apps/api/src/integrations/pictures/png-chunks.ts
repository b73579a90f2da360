/** The chunks that decide about a PNG's pixels. */
const pixelChunks = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'cICP'])

/** Drops every other chunk: texts and profiles are compressed, and a few kilobytes of them unfold into gigabytes. */
export function keepPixelChunks(bytes: Uint8Array): Uint8Array {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept = Buffer.alloc(png.length)
  let size = png.copy(kept, 0, 0, 8)
  for (let at = 8; at + 12 <= png.length; ) {
    // A length, the type, the data and a checksum.
    const end = at + 12 + png.readUInt32BE(at)
    if (pixelChunks.has(png.toString('latin1', at + 4, at + 8))) size += png.copy(kept, size, at, end)
    at = end
  }
  return kept.subarray(0, size)
}
