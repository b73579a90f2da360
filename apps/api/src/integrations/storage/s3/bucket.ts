import { setTimeout as pause } from 'node:timers/promises'
import type { BucketLocation } from '#config/media-settings.ts'
import { fail } from '#platform/errors.ts'
import { sha256 } from '#platform/ids.ts'
import { lazily } from '#platform/lazily.ts'

export type BucketKeys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }

/** An object of a list. */
export type BucketObject = { key: string; storedAt: Date }

export type Bucket = ReturnType<typeof createBucket>

type Call = {
  method: 'GET' | 'PUT' | 'DELETE'
  key?: string
  query?: Record<string, string>
  body?: Uint8Array
  type?: string
}

const timeoutMs = 10_000
const attempts = 3
const retryMs = 100

/**
 * Creates the client of a bucket. Keys are relative to the prefix. A bucket that is away or refuses throws
 * `service-unavailable`; its cause has the reason and no secret.
 */
export function createBucket({ bucket, prefix, region, endpoint }: BucketLocation, keys: BucketKeys) {
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

  async function send({ method, key, query = {}, body, type }: Call): Promise<Response> {
    const url = new URL(key === undefined ? root : `${root}${prefix}${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    // The server compares the hash with what arrived, so that a damaged upload is refused.
    const headers = {
      'X-Amz-Content-Sha256': sha256(body ?? ''),
      ...(type === undefined ? {} : { 'Content-Type': type }),
    }
    const client = await openClient()
    return await client.fetch(url.href, {
      method,
      headers,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: Uint8Array.from(body) }),
    })
  }

  /** Sends a request and retries when the server is away or busy. Returns null for 404. */
  async function call(request: Call): Promise<Buffer | null> {
    let reason: unknown
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (attempt > 1) await pause(retryMs * 2 ** (attempt - 2))
      try {
        const response = await send(request)
        const bytes = Buffer.from(await response.arrayBuffer())
        if (response.ok) return bytes
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

  return {
    /** Stores an object whole or not at all. */
    async put(key: string, body: Uint8Array, type: string): Promise<void> {
      const stored = await call({ method: 'PUT', key, body, type })
      if (stored === null) throw fail('service-unavailable', new Error(`The bucket ${bucket} replied 404`))
    },

    /** Returns an object; null if there is none. */
    async get(key: string): Promise<Buffer | null> {
      return await call({ method: 'GET', key })
    },

    async remove(key: string): Promise<void> {
      await call({ method: 'DELETE', key })
    },

    /** Lists the objects below a folder, in the order of their keys. */
    async *list(folder: string): AsyncGenerator<BucketObject> {
      let last: string | null = null
      do {
        // Version 1 of the list goes on from a key, which every server does; tokens of version 2 differ.
        const query: Record<string, string> = { prefix: `${prefix}${folder}` }
        if (last !== null) query.marker = last
        const page = (await call({ method: 'GET', query }))?.toString() ?? ''
        last = null
        for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const key = textOf(entry, 'Key') ?? ''
          yield { key: key.slice(prefix.length), storedAt: new Date(textOf(entry, 'LastModified') ?? 0) }
          if (textOf(page, 'IsTruncated') === 'true') last = key
        }
      } while (last !== null)
    },
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Returns the text of the first such element; null if there is none. */
function textOf(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text?.replace(/&(\w+);/g, (whole, entity: string) => entities[entity] ?? whole) ?? null
}
