export type PictureKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'heic' | 'gif'

/** How many bytes of a file's start its signature takes. */
export const signatureBytes = 256

/** Returns the format that a file's first bytes declare; null for any other. File names and types are not trusted. */
export function readPictureSignature(bytes: Uint8Array): PictureKind | null {
  const start = Buffer.from(bytes.subarray(0, signatureBytes)).toString('latin1')
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif'
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'webp'
  const brands = brandsOf(start)
  if (brands.some((brand) => avifBrands.has(brand))) return 'avif'
  return brands.some((brand) => heifBrands.has(brand)) ? 'heic' : null
}

const avifBrands = new Set(['avif', 'avis'])
// HEVC pictures and sequences, and the general brands of HEIF.
const heifBrands = new Set(
  ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'].concat(['heif', 'mif1', 'mif2', 'msf1']),
)

// A file type box: length, 'ftyp', major brand, version, then compatible brands of four letters each.
function brandsOf(start: string): string[] {
  if (start.slice(4, 8) !== 'ftyp') return []
  const length = Buffer.from(start.slice(0, 4), 'latin1').readUInt32BE()
  const letters = `${start.slice(8, 12)}${start.slice(16, length)}`
  return letters.match(/.{4}/gs) ?? []
}
