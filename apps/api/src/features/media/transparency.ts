import type { PictureFormat } from '#integrations/pictures/picture-encoder.ts'

/** Returns whether a variant that an earlier release stored has an alpha channel. */
export function hasTransparency(bytes: Buffer, format: PictureFormat): boolean {
  switch (format) {
    case 'webp':
      // The extended header has a flag. The simple one, of lossy pictures, has no alpha.
      return bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 0x10) !== 0
    case 'avif':
      return bytes.subarray(0, 1000).includes('auxiliary:alpha')
    case 'jpeg':
      return false
  }
}
