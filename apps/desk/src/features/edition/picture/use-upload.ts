import { useMutation } from '@tanstack/react-query'
import { type ClipboardEvent, type DragEvent, useRef } from 'react'
import { uploadPicture } from '../state/edition-calls.ts'
import { scaledPicture } from './picture-file.ts'

/** An upload of a picture, which is chosen, dropped, pasted or cropped. */
export type Upload = ReturnType<typeof useUpload>

/** Uploads pictures one at a time. `onDone` gets the file name for a memo. */
export function useUpload(onDone: (media: string) => void) {
  const running = useRef<AbortController | null>(null)
  const upload = useMutation({
    async mutationFn(read: () => Promise<Blob>) {
      const controller = new AbortController()
      running.current = controller
      const file = await read()
      const media = await uploadPicture(file, controller.signal)
      return { media, isCanceled: controller.signal.aborted }
    },
    onSuccess: ({ media, isCanceled }) => {
      if (!isCanceled) onDone(media)
    },
  })
  const take = (file: File | undefined) => {
    if (file !== undefined) upload.mutate(() => scaledPicture(file))
  }
  return {
    take,
    takeBlob: (read: () => Promise<Blob>) => upload.mutate(read),
    isPending: upload.isPending,
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
