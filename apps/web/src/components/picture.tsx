import { pictureWidths } from '@tidings/contracts/limits'
import { useEffect, useRef, useState } from 'react'
import { markBrightness } from './brightness.ts'

type PictureProps = {
  /** Returns the picture's address in a width. */
  urlOf: (width: number) => string
  caption: string
  /** Id of the element that says what the picture belongs to. */
  describedBy: string
}

const sizesInList =
  '(min-width: 768px) and (min-height: 500px) 276px, (min-width: 640px) 592px, calc(100vw - 48px)'

/** A picture that opens whole on a tap. One that doesn't load leaves nothing behind. */
export function Picture({ urlOf, caption, describedBy }: PictureProps) {
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
  const widths = pictureWidths.map((width) => `${urlOf(width)} ${width}w`)
  const source = { src: urlOf(720), srcSet: widths.join(', ') }

  return (
    <>
      <button
        type="button"
        className="memo-picture"
        ref={opener}
        aria-label="Show the whole picture"
        aria-describedby={describedBy}
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
          caption={caption}
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
