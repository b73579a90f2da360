import { pictureWidths } from '@tidings/contracts/limits'
import { mediaUrl } from '@tidings/contracts/paths'
import type { Memo } from './memo.ts'

type MemoPictureProps = { memo: Memo; edition: { date: string; slot: string } }

/** A memo's picture in a 3:2 box, at the width that the screen needs. */
export function MemoPicture({ memo, edition }: MemoPictureProps) {
  const widths = pictureWidths.map((width) => `${mediaUrl(edition, memo.picture, width)} ${width}w`)
  return (
    <img
      className="memo-picture"
      src={mediaUrl(edition, memo.picture, 720)}
      srcSet={widths.join(', ')}
      sizes="(min-width: 768px) and (min-height: 500px) 276px, (min-width: 640px) 592px, calc(100vw - 48px)"
      width={1080}
      height={720}
      alt={memo.caption}
      decoding="async"
    />
  )
}
