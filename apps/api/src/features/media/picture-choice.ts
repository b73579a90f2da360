import { namesAccepted } from '#http/responses/cached-response.ts'
import { keptAs, type PictureFormat, type PictureUse } from '#integrations/pictures/picture-encoder.ts'

/** Returns the smallest stored width that covers `wanted` pixels, or else the largest. */
export function chooseWidth(wanted: number | undefined, use: PictureUse): number {
  const { widths } = keptAs[use]
  const widest = Math.max(...widths)
  if (wanted === undefined) return widest
  return widths.find((width) => width >= wanted) ?? widest
}

/** Returns the best format that `Accept` names, or JPEG. Wildcards say nothing about AVIF or WebP. */
export function chooseFormat(accept: string | undefined, use: PictureUse): PictureFormat {
  const named = namesAccepted(accept ?? '')
  return keptAs[use].formats.find((format) => format !== 'jpeg' && named.has(`image/${format}`)) ?? 'jpeg'
}
