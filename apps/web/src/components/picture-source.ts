import { pictureWidths } from '@tidings/contracts/limits'
import type { PictureSource } from '@tidings/ui/picture'

/** Returns the addresses of a picture from its address in each width. */
export function pictureSource(urlOf: (width: number) => string): PictureSource {
  const widths = pictureWidths.map((width) => `${urlOf(width)} ${width}w`)
  return { src: urlOf(720), srcSet: widths.join(', ') }
}
