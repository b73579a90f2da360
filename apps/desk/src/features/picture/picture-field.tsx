import { useRef } from 'react'
import { Failure } from '#components/failure.tsx'
import './picture.css'
import type { OpenPicture } from './open-picture.ts'
import { PictureFields } from './picture-fields.tsx'
import type { Upload } from './use-upload.ts'

type Props = { open: OpenPicture; canWrite: boolean; upload: Upload }

/** The picture of a memo or article with its caption and alt text, or a way to add one. */
export function PictureField({ open, canWrite, upload }: Props) {
  const { media } = open.state.text
  const chooser = useRef<HTMLInputElement>(null)
  const choose = () => chooser.current?.click()
  return (
    <div className="picture">
      {media !== '' && (
        <PictureFields key={media} open={open} canWrite={canWrite} upload={upload} replace={choose} />
      )}
      {canWrite && media === '' && !upload.isPending && (
        <p>
          <button type="button" className="plain" onClick={choose}>
            Add a picture
          </button>{' '}
          <span className="meta picture-fine">or drop or paste one here</span>
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
        <p>
          <Progress percent={upload.percent} />{' '}
          <button type="button" className="plain" onClick={upload.cancel}>
            Cancel
          </button>
        </p>
      )}
      {upload.error !== null && <Failure text={upload.error.message} canClose />}
    </div>
  )
}

function Progress({ percent }: { percent: number | null }) {
  return (
    <span
      role="progressbar"
      aria-label="Uploading the picture"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
    >
      {percent === null ? 'Uploading…' : `Uploading, ${percent} %`}
    </span>
  )
}
