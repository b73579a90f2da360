import { pictureWidths } from '@tidings/contracts/limits'
import { mediaUrl } from '@tidings/contracts/paths'
import { useEffect, useRef, useState } from 'react'
import { markBrightness } from './brightness.ts'
import type { Memo } from './memo.ts'

type MemoPictureProps = {
  memo: Memo
  edition: { date: string; slot: string }
  /** Id of the element that says what the picture belongs to. */
  titleId: string
}

const sizesInList =
  '(min-width: 768px) and (min-height: 500px) 276px, (min-width: 640px) 592px, calc(100vw - 48px)'

/** A memo's picture, which opens whole on a tap. A picture that doesn't load leaves nothing behind. */
export function MemoPicture({ memo, edition, titleId }: MemoPictureProps) {
  const [isMissing, setMissing] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!isMissing) return
    const retry = () => setMissing(false)
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [isMissing])

  if (isMissing) return null
  const widths = pictureWidths.map((width) => `${mediaUrl(edition, memo.picture, width)} ${width}w`)
  const source = { src: mediaUrl(edition, memo.picture, 720), srcSet: widths.join(', ') }

  return (
    <>
      <button
        type="button"
        className="memo-picture"
        ref={opener}
        aria-label="Show the whole picture"
        aria-describedby={titleId}
        aria-haspopup="dialog"
        onClick={() => setWhole(true)}
      >
        {/* The caption is next to it, and the button has a name. */}
        <img
          {...source}
          sizes={sizesInList}
          width={1080}
          height={720}
          alt=""
          decoding="async"
          onLoad={markBrightness}
          onError={() => setMissing(true)}
        />
      </button>
      {isWhole ? (
        <WholePicture
          source={source}
          caption={memo.caption}
          onClosed={() => {
            setWhole(false)
            // Safari doesn't focus a button that is tapped, so it has nothing to return to.
            opener.current?.focus({ preventScroll: true })
          }}
        />
      ) : null}
    </>
  )
}

type WholePictureProps = {
  source: { src: string; srcSet: string }
  caption: string
  onClosed: () => void
}

/** A picture over the whole window. A tap or Escape closes it. */
function WholePicture({ source, caption, onClosed }: WholePictureProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const close = () => dialog.current?.close()
  return (
    <dialog ref={dialog} className="whole-picture" aria-label="Picture" onClose={onClosed}>
      <figure>
        <img {...source} sizes="100vw" alt="" onLoad={markBrightness} />
        {caption === '' ? null : <figcaption>{caption}</figcaption>}
      </figure>
      {/* Covers the dialog, so that a tap anywhere closes it. */}
      <button type="button" className="whole-picture-close" onClick={close}>
        <span>Close</span>
      </button>
    </dialog>
  )
}
