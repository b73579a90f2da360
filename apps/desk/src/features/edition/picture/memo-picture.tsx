import { useRef } from 'react'
import { Failure } from '#components/failure.tsx'
import type { OpenMemo } from '../state/use-draft.ts'
import { PictureFields } from './picture-fields.tsx'
import type { Upload } from './use-upload.ts'

type Props = { open: OpenMemo; canWrite: boolean; upload: Upload }

/** The picture of a memo with its caption and alt text, or a way to add one. */
export function MemoPicture({ open, canWrite, upload }: Props) {
  const { media } = open.state.text
  const chooser = useRef<HTMLInputElement>(null)
  const choose = () => chooser.current?.click()
  return (
    <div className="edition-picture">
      {media !== '' && (
        <PictureFields key={media} open={open} canWrite={canWrite} upload={upload} replace={choose} />
      )}
      {canWrite && media === '' && !upload.isPending && (
        <p>
          <button type="button" className="edition-word" onClick={choose}>
            Add a picture
          </button>{' '}
          <span className="meta edition-fine">or drop or paste one here</span>
        </p>
      )}
      {canWrite && (
        <input
          ref={chooser}
          type="file"
          hidden
          accept="image/*"
          aria-label="Picture"
          onChange={({ target }) => {
            upload.take(target.files?.[0])
            target.value = ''
          }}
        />
      )}
      {upload.isPending && (
        <p role="status">
          Uploading the picture…{' '}
          <button type="button" className="edition-word" onClick={upload.cancel}>
            Cancel
          </button>
        </p>
      )}
      <Failure text={upload.error?.message ?? null} />
    </div>
  )
}
