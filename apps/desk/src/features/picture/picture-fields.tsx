import { useQuery } from '@tanstack/react-query'
import { limits } from '@tidings/contracts/limits'
import { lazy, Suspense, useId, useState } from 'react'
import { FocalPoint } from './focal-point.tsx'
import type { OpenPicture } from './open-picture.ts'
import { pictureQuery } from './picture-calls.ts'
import { useIsFolded } from './use-is-folded.ts'
import type { Upload } from './use-upload.ts'

const CropDialog = lazy(async () => ({ default: (await import('./crop-dialog.tsx')).CropDialog }))

type Props = { open: OpenPicture; canWrite: boolean; upload: Upload; replace: () => void }

/** A picture with its focal point, caption and alt text; one line of it while the text is written. */
export function PictureFields({ open, canWrite, upload, replace }: Props) {
  const { draft, state } = open
  const { media, media_alt, media_title, media_focus } = state.text
  const { data: picture, isPending } = useQuery(pictureQuery(media))
  const [isCropping, setCropping] = useState(false)
  const { isFolded, unfold } = useIsFolded()
  if (isFolded)
    return (
      <div className="picture-folded">
        {picture !== undefined && (
          <img src={picture.url} width={picture.width} height={picture.height} alt={media_alt ?? ''} />
        )}
        <p>
          {media_title}{' '}
          <span className={media_alt === null ? 'meta urgent' : 'meta'}>{altWords(media_alt)}</span>{' '}
          <button type="button" className="plain" onClick={unfold}>
            Open
          </button>
        </p>
      </div>
    )
  return (
    <div className="picture-shown">
      <div className={isPending ? 'picture-frame picture-coming' : 'picture-frame'}>
        {picture !== undefined && (
          <img
            src={picture.url}
            width={picture.width}
            height={picture.height}
            alt={media_alt ?? ''}
            style={{ width: frameWidth(picture) }}
          />
        )}
        {picture !== undefined && canWrite && (
          <FocalPoint focus={media_focus} onChange={(focus) => draft.type({ media_focus: focus })} />
        )}
      </div>
      <div className="picture-captions">
        <TextFields open={open} />
        <div className="picture-actions">
          <button type="button" className="plain quiet" onClick={replace}>
            Replace
          </button>
          {(picture !== undefined || isPending) && (
            <button
              type="button"
              className="plain quiet"
              disabled={isPending}
              onClick={() => setCropping(true)}
            >
              Crop…
            </button>
          )}
          <button type="button" className="plain quiet" onClick={() => draft.type({ media: '' })}>
            Remove
          </button>
          <label className="check">
            <input
              type="checkbox"
              checked={media_alt === ''}
              onChange={({ target }) => draft.type({ media_alt: target.checked ? '' : null })}
            />
            Decorative
          </label>
          <span className="meta">Drag the ring to what matters</span>
        </div>
      </div>
      {isCropping && picture !== undefined && (
        <Suspense fallback={<p className="loading">Loading…</p>}>
          <CropDialog picture={picture} onCrop={upload.takeBlob} close={() => setCropping(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** Returns the width that a picture has as soon as it is loaded, within 14.25 by 12 rem. */
function frameWidth({ width, height }: { width: number; height: number }): string {
  return `min(${width}px, 14.25rem, 100cqw, ${(12 * width) / height}rem)`
}

function TextFields({ open: { draft, state } }: { open: OpenPicture }) {
  const { media_title, media_alt } = state.text
  const ids = { caption: useId(), alt: useId() }
  return (
    <>
      <label htmlFor={ids.caption}>Caption</label>
      <input
        id={ids.caption}
        name="media_title"
        maxLength={limits.captionCharacters}
        value={media_title}
        onChange={(event) => draft.type({ media_title: event.target.value })}
      />
      <label htmlFor={ids.alt}>Alt text, for readers who don’t see it</label>
      <input
        id={ids.alt}
        name="media_alt"
        maxLength={limits.altTextCharacters}
        value={media_alt ?? ''}
        disabled={media_alt === ''}
        onChange={({ target }) => draft.type({ media_alt: target.value === '' ? null : target.value })}
      />
    </>
  )
}

function altWords(alt: string | null): string {
  if (alt === null) return 'no alt text'
  return alt === '' ? 'Decorative' : `Alt text: ${alt}`
}
