import { useEffect, useRef, useState } from 'react'
import { markBrightness } from './brightness.ts'

/** A point of a picture, from 0 to 1 of its width and height. */
export type Focus = { x: number; y: number }

/** The addresses of a picture in its widths. */
export type PictureSource = { src: string; srcSet: string }

type PictureProps = {
  source: PictureSource
  caption: string
  /** Empty without one, or for a decorative picture. */
  alt: string
  /** The point that cropping keeps; undefined for the center. */
  focus: Focus | undefined
  /** Id of the element that says what the picture belongs to. */
  describedBy: string
}

const sizesInList =
  '(min-width: 768px) and (min-height: 500px) 276px, (min-width: 640px) 592px, calc(100vw - 48px)'

/** A picture that opens whole on a tap. One that doesn't load leaves nothing behind. */
export function Picture({ source, caption, alt, focus, describedBy }: PictureProps) {
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
  return (
    <>
      <button
        type="button"
        className="memo-picture"
        ref={opener}
        aria-label={alt === '' ? 'Show the whole picture' : `Show the whole picture: ${alt}`}
        aria-describedby={describedBy}
        aria-haspopup="dialog"
        onClick={() => setWhole(true)}
      >
        {/* Screen readers read the name of the button, not the image in it. */}
        <img
          {...source}
          sizes={sizesInList}
          width={1080}
          height={720}
          alt={alt}
          style={focus && { objectPosition: `${100 * focus.x}% ${100 * focus.y}%` }}
          decoding="async"
          onLoad={markBrightness}
          onError={() => setMissing(true)}
        />
      </button>
      {isWhole ? (
        <WholePicture
          source={source}
          caption={caption}
          alt={alt}
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
  source: PictureSource
  caption: string
  alt: string
  onClosed: () => void
}

/** A picture over the whole window. A tap or Escape closes it. */
function WholePicture({ source, caption, alt, onClosed }: WholePictureProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const close = () => dialog.current?.close()
  return (
    <dialog ref={dialog} className="whole-picture" aria-label="Picture" onClose={onClosed}>
      <figure>
        <img {...source} sizes="100vw" alt={alt} onLoad={markBrightness} />
        {caption === '' ? null : <figcaption>{caption}</figcaption>}
      </figure>
      {/* Covers the dialog, so that a tap anywhere closes it. */}
      <button type="button" className="whole-picture-close" onClick={close}>
        <span>Close</span>
      </button>
    </dialog>
  )
}
