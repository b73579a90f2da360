import type { OpenText } from '#features/writing/open-text.ts'

/** The fields of a text’s picture, which memos and articles share. */
export type PictureText = {
  media: string
  media_title: string
  media_alt: string | null
  media_focus: { x: number; y: number }
}

/** An open text with a picture. */
export type OpenPicture = OpenText<PictureText>
