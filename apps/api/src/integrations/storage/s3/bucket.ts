import type { BucketLocation } from '#config/media-settings.ts'
import { fail } from '#platform/errors.ts'
import { type BucketKeys, createBucketCalls } from './bucket-calls.ts'

/** An object of a list. */
export type BucketObject = { key: string; storedAt: Date; bytes: number }

export type Bucket = ReturnType<typeof createBucket>

/**
 * Creates the client of a bucket. Keys are relative to the prefix. A bucket that is away or refuses throws
 * `service-unavailable`; its cause has the reason and no secret.
 */
export function createBucket(location: BucketLocation, keys: BucketKeys) {
  const { bucket, prefix } = location
  const call = createBucketCalls(location, keys)

  return {
    /** Stores an object whole or not at all. */
    async put(key: string, body: Uint8Array, type: string): Promise<void> {
      const stored = await call({ method: 'PUT', key, body, type })
      if (stored === null) throw fail('service-unavailable', new Error(`The bucket ${bucket} replied 404`))
    },

    /** Returns an object; null if there is none. */
    async get(key: string): Promise<Buffer | null> {
      return (await call({ method: 'GET', key }))?.bytes ?? null
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
        const page = (await call({ method: 'GET', query }))?.bytes.toString() ?? ''
        last = null
        for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const key = textOf(entry, 'Key') ?? ''
          yield {
            key: key.slice(prefix.length),
            storedAt: new Date(textOf(entry, 'LastModified') ?? 0),
            bytes: Number(textOf(entry, 'Size') ?? 0),
          }
          if (textOf(page, 'IsTruncated') === 'true') last = key
        }
      } while (last !== null)
    },
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Returns the text of the first such element of a reply; null if there is none. */
export function textOf(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text?.replace(/&(\w+);/g, (whole, entity: string) => entities[entity] ?? whole) ?? null
}
