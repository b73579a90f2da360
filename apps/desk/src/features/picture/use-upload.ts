import { useMutation } from '@tanstack/react-query'
import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react'
import type { OpenPicture } from './open-picture.ts'
import { uploadPicture } from './picture-calls.ts'
import { scaledPicture } from './picture-file.ts'

/** An upload of a picture, which is chosen, dropped, pasted or cropped. */
export type Upload = ReturnType<typeof useUpload>

/** Uploads pictures one at a time, and puts the last one into a memo or article. */
export function useUpload({ draft }: Pick<OpenPicture, 'draft'>) {
  const [percent, setPercent] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  const upload = useMutation({
    async mutationFn(read: () => Promise<Blob>) {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      const { signal } = controller
      setPercent(null)
      const file = await read()
      const onProgress = (part: number) => {
        if (!signal.aborted) setPercent(Math.floor(part * 100))
      }
      const media = await uploadPicture(file, { signal, onProgress })
      return { media, isCanceled: signal.aborted }
    },
    onSuccess: ({ media, isCanceled }) => {
      if (!isCanceled) draft.type({ media, media_alt: null, media_focus: { x: 0.5, y: 0.5 } })
    },
  })
  const take = (file: File | undefined) => {
    if (file !== undefined) upload.mutate(() => scaledPicture(file))
  }
  return {
    take,
    takeBlob: (read: () => Promise<Blob>) => upload.mutate(read),
    isPending: upload.isPending,
    /** How much of the picture has arrived; null before it is on its way. */
    percent,
    error: upload.error,
    cancel() {
      running.current?.abort()
      upload.reset()
    },
    /** Takes pictures that are dropped or pasted; words go on to the texts. */
    takesFiles: {
      onDragOver(event: DragEvent) {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault()
      },
      onDropCapture(event: DragEvent) {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        event.stopPropagation()
        take(event.dataTransfer.files[0])
      },
      onPasteCapture(event: ClipboardEvent) {
        const { files, types } = event.clipboardData
        if (files[0] === undefined || types.includes('text/html') || types.includes('text/plain')) return
        event.preventDefault()
        event.stopPropagation()
        take(files[0])
      },
    },
  }
}
