/** How a kept picture is compressed; readers get the first of these that their browser takes. */
export type PictureFormat = 'avif' | 'webp' | 'jpeg'

/** One of the files that a picture is kept as. `width` is its name in pixels: a narrow picture is not enlarged to it. */
export type PictureVariant = { width: number; format: PictureFormat; bytes: Uint8Array }

/** A picture made fit to be shown: upright, in sRGB, without anything but its pixels. Sizes are of the upright original. */
export type EncodedPicture = { width: number; height: number; variants: PictureVariant[] }

/** Makes the files that a picture is kept as. */
export type PictureEncoder = {
  /**
   * Decodes an upload, whatever it calls itself, and encodes it at every picture width in every format.
   * Throws `UnreadablePictureError` when it is no picture of a kind we take, damaged, or too large.
   */
  encode(bytes: Uint8Array): Promise<EncodedPicture>
}

/** What is wrong with an upload that cannot become a picture. */
export type PictureProblem = 'unknown-format' | 'too-many-pixels' | 'too-long' | 'damaged' | 'too-slow'

const sentences: Record<PictureProblem, string> = {
  'unknown-format': 'The file is not a JPEG, PNG, WebP, AVIF or GIF picture.',
  'too-many-pixels': 'The picture has more than 40 million pixels. Please make it smaller.',
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
