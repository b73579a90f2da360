import { after } from '#lib/browser/timer.ts'

/** A form on its way to the API. */
export type Sending = {
  method: string
  url: string
  headers: Record<string, string>
  body: FormData
  signal: AbortSignal | undefined
  /** It fails once nothing has moved for this long, however long it takes as a whole. */
  silenceMs: number
  /** Learns which part of the form has arrived, from 0 to 1. */
  onProgress: (part: number) => void
}

/** Sends a form and returns the reply, as `fetch` does, which can't tell how far it is. */
export async function sendWithProgress(sending: Sending): Promise<{ status: number; text: string }> {
  const { method, url, headers, body, signal, silenceMs, onProgress } = sending
  signal?.throwIfAborted()
  const request = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const abort = () => request.abort()
  let stopWaiting = after(silenceMs, abort)
  request.open(method, url)
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    stopWaiting()
    stopWaiting = after(silenceMs, abort)
    if (total > 0) onProgress(loaded / total)
  })
  request.addEventListener('load', () => resolve({ status: request.status, text: request.responseText }))
  for (const type of ['error', 'abort'] as const)
    request.addEventListener(type, () => reject(new Error(`The request ended: ${type}`)))
  signal?.addEventListener('abort', abort, { once: true })
  request.send(body)
  try {
    return await promise
  } finally {
    stopWaiting()
    signal?.removeEventListener('abort', abort)
  }
}
