import type { BucketLocation } from '#config/media-settings.ts'
import { fail } from '#platform/errors.ts'
import { textOf } from './bucket.ts'
import { type BucketKeys, createBucketCalls } from './bucket-calls.ts'

/** The bytes of a part, two of which are in memory: 10,000 parts, as many as S3 takes, are 320 GB. */
const defaultPartBytes = 32 * 1024 * 1024
const partTimeoutMs = 300_000

/** Creates the reader and writer of objects that are larger than memory. */
export function createLargeObjects(
  location: BucketLocation,
  keys: BucketKeys,
  partBytes: number = defaultPartBytes,
) {
  const call = createBucketCalls(location, keys)

  async function upload(key: string, content: AsyncIterable<Uint8Array>, uploadId: string): Promise<number> {
    const etags: string[] = []
    let bytes = 0
    for await (const body of inParts(content, partBytes)) {
      const query = { partNumber: String(etags.length + 1), uploadId }
      const reply = await call({ method: 'PUT', key, query, body, timeoutMs: partTimeoutMs })
      etags.push(reply?.etag ?? '')
      bytes += body.byteLength
    }
    const parts = etags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
    const list = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
    const query = { uploadId }
    const done = await call({ method: 'POST', key, query, body: list, timeoutMs: partTimeoutMs })
    // The bucket may only find an error once it has sent the status 200.
    if (done === null || done.bytes.includes('<Error>')) throw refused(location, done?.bytes ?? null)
    return bytes
  }

  return {
    /** Stores an object whole or not at all. Returns its size. */
    async write(key: string, content: AsyncIterable<Uint8Array>): Promise<number> {
      const type = 'application/octet-stream'
      const created = await call({ method: 'POST', key, query: { uploads: '' }, type })
      const uploadId = textOf(created?.bytes.toString() ?? '', 'UploadId')
      if (uploadId === null) throw refused(location, created?.bytes ?? null)
      try {
        return await upload(key, content, uploadId)
      } catch (error) {
        // Parts of an upload that isn't ended cost as much as stored ones.
        await call({ method: 'DELETE', key, query: { uploadId } }).catch(() => undefined)
        throw error
      }
    },

    /** Reads an object of this size part by part, each of which is retried. */
    async *read(key: string, bytes: number): AsyncGenerator<Buffer> {
      for (let first = 0; first < bytes; first += partBytes) {
        const range = [first, Math.min(first + partBytes, bytes) - 1] as const
        const reply = await call({ method: 'GET', key, range, timeoutMs: partTimeoutMs })
        if (reply?.bytes.byteLength !== range[1] - range[0] + 1)
          throw refused(location, reply?.bytes.subarray(0, 200) ?? null)
        yield reply.bytes
      }
    },
  }
}

function refused({ bucket }: BucketLocation, reply: Buffer | null): Error {
  const code = textOf(reply?.toString() ?? '', 'Code') ?? 'an unexpected reply'
  return fail('service-unavailable', new Error(`The bucket ${bucket} replied with ${code}`))
}

/** Joins and divides chunks into parts of one size; only the last may be smaller. */
async function* inParts(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(size)
  let filled = 0
  let count = 0
  for await (const chunk of content) {
    for (let from = 0; from < chunk.byteLength; ) {
      const taken = chunk.subarray(from, from + size - filled)
      part.set(taken, filled)
      filled += taken.byteLength
      from += taken.byteLength
      if (filled < size) continue
      yield part
      count += 1
      part = new Uint8Array(size)
      filled = 0
    }
  }
  if (filled > 0 || count === 0) yield part.subarray(0, filled)
}
