import { setTimeout as pause } from 'node:timers/promises'
import type { BucketLocation } from '#config/media-settings.ts'
import { fail } from '#platform/errors.ts'
import { sha256 } from '#platform/ids.ts'
import { lazily } from '#platform/lazily.ts'

export type BucketKeys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }

/** A request to a bucket. `key` is relative to the prefix; without one, the request is about the bucket. */
type Call = {
  method: 'GET' | 'PUT' | 'DELETE' | 'POST'
  key?: string
  query?: Record<string, string>
  body?: Uint8Array
  type?: string
  /** The bytes to get, both included. */
  range?: readonly [first: number, last: number]
  timeoutMs?: number
}

export type BucketReply = { bytes: Buffer; etag: string | null }

const defaultTimeoutMs = 10_000
const attempts = 3
const retryMs = 100

/**
 * Creates signed requests to a bucket, which are retried while it is away or busy. A bucket that stays away or refuses
 * throws `service-unavailable`; its cause has the reason and no secret.
 */
export function createBucketCalls({ bucket, prefix, region, endpoint }: BucketLocation, keys: BucketKeys) {
  const openClient = lazily(async () => {
    const { AwsClient } = await import('aws4fetch')
    return new AwsClient({
      accessKeyId: keys.accessKeyId,
      secretAccessKey: keys.secretAccessKey,
      ...(keys.sessionToken === undefined ? {} : { sessionToken: keys.sessionToken }),
      service: 's3',
      region,
      retries: 0,
    })
  })
  const root =
    endpoint === null
      ? `https://${bucket}.s3.${region}.amazonaws.com/`
      : `${endpoint.href.replace(/\/$/, '')}/${bucket}/`

  async function send({ method, key, query = {}, body, type, range, timeoutMs }: Call): Promise<Response> {
    const url = new URL(key === undefined ? root : `${root}${prefix}${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    // The server compares the hash with what arrived, so that a damaged upload is refused.
    const headers = {
      'X-Amz-Content-Sha256': sha256(body ?? ''),
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...(range === undefined ? {} : { Range: `bytes=${range[0]}-${range[1]}` }),
    }
    const client = await openClient()
    return await client.fetch(url.href, {
      method,
      headers,
      signal: AbortSignal.timeout(timeoutMs ?? defaultTimeoutMs),
      ...(body === undefined ? {} : { body: Uint8Array.from(body) }),
    })
  }

  /** Sends a request and retries when the server is away or busy. Returns null for 404. */
  return async function call(request: Call): Promise<BucketReply | null> {
    let reason: unknown
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (attempt > 1) await pause(retryMs * 2 ** (attempt - 2))
      try {
        const response = await send(request)
        const bytes = Buffer.from(await response.arrayBuffer())
        if (response.ok) return { bytes, etag: response.headers.get('etag') }
        const code = /<Code>(\w+)<\/Code>/.exec(bytes.toString())?.[1] ?? ''
        if (response.status === 404 && code !== 'NoSuchBucket') return null
        reason = new Error(`The bucket ${bucket} replied ${response.status} ${code}`.trim())
        if (response.status < 500 && response.status !== 429) break
      } catch (error) {
        reason = error
      }
    }
    throw fail('service-unavailable', reason)
  }
}
