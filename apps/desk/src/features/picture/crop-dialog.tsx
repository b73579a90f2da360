import 'react-image-crop/dist/ReactCrop.css'
import { useRef, useState } from 'react'
import ReactCrop, { type PercentCrop } from 'react-image-crop'
import { Modal } from '#components/modal.tsx'
import { croppedPicture } from './picture-file.ts'

type Props = {
  picture: { url: string; width: number; height: number }
  onCrop: (read: () => Promise<Blob>) => void
  close: () => void
}

/** Cuts a part out of a picture, which takes the place of the whole. */
export function CropDialog({ picture, onCrop, close }: Props) {
  const image = useRef<HTMLImageElement>(null)
  const [part, setPart] = useState<PercentCrop>({ unit: '%', x: 10, y: 10, width: 80, height: 80 })
  return (
    <Modal title="Crop the picture" close={close}>
      <p className="meta">Crop when the meaning changes. For what screens cut off, the ring is enough.</p>
      <ReactCrop crop={part} onChange={(_pixels, percent) => setPart(percent)} minWidth={40} minHeight={40}>
        <img ref={image} src={picture.url} width={picture.width} height={picture.height} alt="" />
      </ReactCrop>
      <div className="actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          className="filled"
          disabled={part.width === 0 || part.height === 0}
          onClick={() => {
            const shown = image.current
            if (shown !== null) onCrop(() => croppedPicture(shown, part))
            close()
          }}
        >
          Crop
        </button>
      </div>
    </Modal>
  )
}
