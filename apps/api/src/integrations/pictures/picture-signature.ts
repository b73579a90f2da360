export type PictureKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'

/** Returns the format that a file's first bytes declare; null for any other. File names and types are not trusted. */
export function readPictureSignature(bytes: Uint8Array): PictureKind | null {
  const start = Buffer.from(bytes.subarray(0, 64)).toString('latin1')
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif'
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'webp'
  if (start.slice(4, 8) === 'ftyp' && namesAvif(start)) return 'avif'
  return null
}

// A file type box: length, 'ftyp', major brand, version, then compatible brands of four letters each.
function namesAvif(start: string): boolean {
  const length = Buffer.from(start.slice(0, 4), 'latin1').readUInt32BE()
  const brands = `${start.slice(8, 12)}${start.slice(16, length)}`
  return /^(?:.{4})*?avi[fs]/s.test(brands)
}
