import { inflateSync } from 'node:zlib'

const headerBytes = 44
const entryBytes = 20

/** Returns the OpenType font in a WOFF 1 file: the same tables, each of them compressed (W3C, WOFF File Format 1.0). */
export function decodeWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('The font is not a WOFF file.')
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, index) =>
    readTable(woff, headerBytes + entryBytes * index),
  )
  const log = Math.floor(Math.log2(count))
  const header = Buffer.alloc(12 + 16 * count)
  woff.copy(header, 0, 4, 8)
  header.writeUInt16BE(count, 4)
  header.writeUInt16BE(16 * 2 ** log, 6)
  header.writeUInt16BE(log, 8)
  header.writeUInt16BE(16 * count - 16 * 2 ** log, 10)
  let offset = header.length
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const at = 12 + 16 * index
    header.write(tag, at, 'latin1')
    header.writeUInt32BE(checksum, at + 4)
    header.writeUInt32BE(offset, at + 8)
    header.writeUInt32BE(data.length, at + 12)
    offset += data.length + paddingOf(data)
  }
  return Buffer.concat([header, ...tables.flatMap(({ data }) => [data, Buffer.alloc(paddingOf(data))])])
}

function readTable(woff: Buffer, entry: number): { tag: string; checksum: number; data: Buffer } {
  const offset = woff.readUInt32BE(entry + 4)
  const stored = woff.subarray(offset, offset + woff.readUInt32BE(entry + 8))
  const length = woff.readUInt32BE(entry + 12)
  return {
    tag: woff.toString('latin1', entry, entry + 4),
    checksum: woff.readUInt32BE(entry + 16),
    // A table that compression would not shorten is stored as it is.
    data: stored.length < length ? inflateSync(stored) : stored,
  }
}

/** Tables begin at multiples of four bytes. */
function paddingOf(data: Buffer): number {
  return (4 - (data.length % 4)) % 4
}
