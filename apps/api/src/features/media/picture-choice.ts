import { pictureWidths } from '@tidings/contracts/limits'
import type { PictureFormat } from '../../integrations/pictures/picture-encoder.ts'

/** The narrowest kept width that fills `wanted` pixels; the widest without a wish or beyond it. */
export function chooseWidth(wanted: number | undefined): number {
  const widest = Math.max(...pictureWidths)
  if (wanted === undefined) return widest
  return pictureWidths.find((width) => width >= wanted) ?? widest
}

/**
 * AVIF or WebP for a caller that names it; JPEG for every other, also for one that says it takes anything
 * (mail programs and PDF makers do, and take neither).
 */
export function chooseFormat(accept: string | undefined): PictureFormat {
  const named = new Set(
    (accept ?? '')
      .toLowerCase()
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0]?.trim()),
  )
  if (named.has('image/avif')) return 'avif'
  return named.has('image/webp') ? 'webp' : 'jpeg'
}
