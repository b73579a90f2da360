import { pictureWidths, profileImageWidths } from '@tidings/contracts/limits'

/** How a kept picture is compressed. */
export type PictureFormat = 'avif' | 'webp' | 'jpeg'

/** What a picture is for: an editor's is kept at its best, a member's small and at little cost. */
export type PictureUse = 'editorial' | 'profile'

/** The widths at which a picture is kept, in pixels, and the formats; readers get the first that their browser takes. */
export const keptAs: Readonly<
  Record<PictureUse, { widths: readonly number[]; formats: readonly PictureFormat[] }>
> = {
  editorial: { widths: pictureWidths, formats: ['avif', 'webp', 'jpeg'] },
  profile: { widths: profileImageWidths, formats: ['webp', 'jpeg'] },
}

/** One of the files that a picture is kept as. `width` is its name in pixels: a narrow picture is not enlarged to it. */
export type PictureVariant = { width: number; format: PictureFormat; bytes: Uint8Array }

/** A picture made fit to be shown: upright, in sRGB, without anything but its pixels. Sizes are of the upright original. */
export type EncodedPicture = { width: number; height: number; variants: PictureVariant[] }

/** Makes the files that a picture is kept as. */
export type PictureEncoder = {
  /**
   * Decodes an upload, whatever it calls itself, and encodes it at every width and in every format of its use. Throws
   * `UnreadablePictureError` when it is no picture of a kind we take, damaged, or too large, and `service-busy`.
   */
  encode(bytes: Uint8Array, use: PictureUse): Promise<EncodedPicture>
}

/** What is wrong with an upload that cannot become a picture. */
export type PictureProblem = 'unknown-format' | 'too-many-pixels' | 'too-long' | 'damaged' | 'too-slow'

const sentences: Record<PictureProblem, string> = {
  'unknown-format': 'The file is not a JPEG, PNG, WebP, AVIF or GIF picture.',
  'too-many-pixels': 'The picture has too many pixels. Please make it smaller.',
  'too-long': 'The picture is more than ten times as long one way as the other. Please crop it.',
  damaged: 'The picture is damaged and cannot be read. Please save it again.',
  'too-slow': 'The picture takes too long to read. Please save it again in another format.',
}

/** The upload cannot become a picture; `message` tells the editor why and what to do. */
export class UnreadablePictureError extends Error {
  readonly problem: PictureProblem

  constructor(problem: PictureProblem, cause?: unknown) {
    super(sentences[problem], { cause })
    this.name = 'UnreadablePictureError'
    this.problem = problem
  }
}
