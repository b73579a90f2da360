import { keptAs, type PictureFormat, type PictureUse } from '#integrations/pictures/picture-encoder.ts'

/** The narrowest kept width that fills `wanted` pixels; the widest without a wish or beyond it. */
export function chooseWidth(wanted: number | undefined, use: PictureUse): number {
  const { widths } = keptAs[use]
  const widest = Math.max(...widths)
  if (wanted === undefined) return widest
  return widths.find((width) => width >= wanted) ?? widest
}

/**
 * AVIF (of an editor's picture) or WebP for a caller that names it; JPEG for every other, also for one that says it takes anything
 * (mail programs and PDF makers do, and take neither).
 */
export function chooseFormat(accept: string | undefined, use: PictureUse): PictureFormat {
  const named = new Set(
    (accept ?? '')
      .toLowerCase()
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0]?.trim()),
  )
  return keptAs[use].formats.find((format) => format !== 'jpeg' && named.has(`image/${format}`)) ?? 'jpeg'
}
