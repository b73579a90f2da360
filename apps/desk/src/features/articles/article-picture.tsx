import { useMutation, useQuery } from '@tanstack/react-query'
import { limits } from '@tidings/contracts/limits'
import { useId, useRef } from 'react'
import { Failure } from '#components/failure.tsx'
import { pictureQuery, uploadPicture } from '#features/edition/state/edition-calls.ts'
import type { OpenArticle } from './state/article-drafts.ts'

type Props = { open: OpenArticle; canWrite: boolean }

/** The picture of an article with its caption and alt text, or a way to add one. */
export function ArticlePicture({ open, canWrite }: Props) {
  const { draft, state } = open
  const { media } = state.text
  const chooser = useRef<HTMLInputElement>(null)
  const upload = useMutation({
    mutationFn: (file: File) => uploadPicture(file),
    onSuccess: (file) => draft.type({ media: file, media_alt: null }),
  })
  return (
    <div className="articles-picture">
      {media !== '' && <PictureFields open={open} />}
      {canWrite && (
        <div className="articles-picture-actions">
          <button
            type="button"
            className="plain"
            disabled={upload.isPending}
            onClick={() => chooser.current?.click()}
          >
            {media === '' ? 'Add a picture' : 'Replace the picture'}
          </button>
          {media !== '' && (
            <button type="button" className="plain" onClick={() => draft.type({ media: '' })}>
              Remove the picture
            </button>
          )}
          <input
            ref={chooser}
            type="file"
            hidden
            accept="image/*"
            aria-label="Picture"
            onChange={({ target }) => {
              const file = target.files?.item(0)
              if (file !== null && file !== undefined) upload.mutate(file)
              target.value = ''
            }}
          />
          {upload.isPending && <p role="status">Uploading…</p>}
        </div>
      )}
      <Failure text={upload.error?.message ?? null} />
    </div>
  )
}

function PictureFields({ open: { draft, state } }: { open: OpenArticle }) {
  const { media, media_title, media_alt } = state.text
  const { data: picture } = useQuery(pictureQuery(media))
  const ids = { caption: useId(), alt: useId() }
  const isDecorative = media_alt === ''
  return (
    <>
      {picture !== undefined && (
        <img src={picture.url} width={picture.width} height={picture.height} alt={media_alt ?? ''} />
      )}
      <label htmlFor={ids.caption}>Caption</label>
      <input
        id={ids.caption}
        name="media_title"
        className="articles-line"
        maxLength={limits.captionCharacters}
        value={media_title}
        onChange={(event) => draft.type({ media_title: event.target.value })}
      />
      <label htmlFor={ids.alt}>Alt text, for readers who don’t see it</label>
      <input
        id={ids.alt}
        name="media_alt"
        className="articles-line"
        maxLength={limits.altTextCharacters}
        value={media_alt ?? ''}
        disabled={isDecorative}
        onChange={({ target }) => draft.type({ media_alt: target.value === '' ? null : target.value })}
      />
      <label className="articles-check">
        <input
          type="checkbox"
          checked={isDecorative}
          onChange={(event) => draft.type({ media_alt: event.target.checked ? '' : null })}
        />
        Decorative
      </label>
    </>
  )
}
