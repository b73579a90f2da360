const pixelChunks = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'cICP'])

/** Removes text and profile chunks, in which a few compressed kilobytes can expand to gigabytes. */
export function keepPixelChunks(bytes: Uint8Array): Uint8Array {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept = Buffer.alloc(png.length)
  let size = png.copy(kept, 0, 0, 8)
  for (let at = 8; at + 12 <= png.length; ) {
    // Length, type, data, checksum.
    const end = at + 12 + png.readUInt32BE(at)
    if (pixelChunks.has(png.toString('latin1', at + 4, at + 8))) size += png.copy(kept, size, at, end)
    at = end
  }
  return kept.subarray(0, size)
}
