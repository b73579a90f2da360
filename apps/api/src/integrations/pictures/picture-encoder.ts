import { pictureWidths, profileImageWidths } from '@tidings/contracts/limits'

export type PictureFormat = 'avif' | 'webp' | 'jpeg'

/** Editors' pictures are stored in the best quality, members' small and cheap to encode. */
export type PictureUse = 'editorial' | 'profile'

/** The stored widths in pixels and the formats, the preferred one first. */
export const keptAs: Readonly<
  Record<PictureUse, { widths: readonly number[]; formats: readonly PictureFormat[] }>
> = {
  editorial: { widths: pictureWidths, formats: ['avif', 'webp', 'jpeg'] },
  profile: { widths: profileImageWidths, formats: ['webp', 'jpeg'] },
}

/** A stored file of a picture. `width` is its nominal width: a narrower picture is not enlarged. */
export type PictureVariant = { width: number; format: PictureFormat; bytes: Uint8Array }

/** The variants of a picture, upright, opaque, in sRGB, without metadata. The size is the upright original's. */
export type EncodedPicture = { width: number; height: number; variants: PictureVariant[] }

/** A picture to encode: its bytes, or a file, whose size is in bytes. */
export type PictureSource = Uint8Array | { path: string; bytes: number }

export type PictureEncoder = {
  /** Encodes an upload at every width and in every format. Throws `UnreadablePictureError` or `service-busy`. */
  encode(source: PictureSource, use: PictureUse): Promise<EncodedPicture>
}

export type PictureProblem =
  | 'unknown-format'
  | 'unreadable-heic'
  | 'too-many-pixels'
  | 'too-long'
  | 'damaged'
  | 'too-slow'

const sentences: Record<PictureProblem, (megapixels: number) => string> = {
  'unknown-format': () => 'This file isn’t a JPEG, PNG, WebP, AVIF, HEIC or GIF picture.',
  'unreadable-heic': () => 'We couldn’t read this HEIC picture. Save it as JPEG and try again.',
  'too-many-pixels': (megapixels) =>
    `This picture has more than ${megapixels} megapixels. Make it smaller and try again.`,
  'too-long': () =>
    'This picture is more than ten times as long as wide, or as wide as long. Crop it and try again.',
  damaged: () => 'This picture is damaged. Save it again and try again.',
  'too-slow': () => 'This picture takes too long to read. Save it in another format and try again.',
}

/** An upload that cannot be encoded. The message tells the uploader why and what to do. */
export class UnreadablePictureError extends Error {
  readonly problem: PictureProblem

  constructor(
    problem: PictureProblem,
    { maxPixels = 0, cause }: { maxPixels?: number; cause?: unknown } = {},
  ) {
    super(sentences[problem](maxPixels / 1_000_000), { cause })
    this.name = 'UnreadablePictureError'
    this.problem = problem
  }
}
