import { Worker } from 'node:worker_threads'
import { type HeicRequest, type HeicResult, heicResult } from './heic-messages.ts'
import { UnreadablePictureError } from './picture-encoder.ts'

const decodeSeconds = 30

/** Decodes a HEIC picture in a thread of its own, whose memory ends with it. Throws `UnreadablePictureError`. */
export async function decodeHeic(file: string, request: HeicRequest): Promise<HeicResult> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const worker = new Worker(file, { workerData: request })
  const timer = setTimeout(() => reject(new UnreadablePictureError('too-slow')), decodeSeconds * 1000)
  worker.on('message', resolve)
  worker.on('error', (cause) => reject(new UnreadablePictureError('unreadable-heic', { cause })))
  worker.on('exit', () => reject(new UnreadablePictureError('unreadable-heic')))
  try {
    return heicResult.parse(await promise)
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
