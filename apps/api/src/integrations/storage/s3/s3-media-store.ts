import { pictureOf } from '../hashed-picture.ts'
import type { MediaStore } from '../media-store.ts'
import { newestOf } from '../newest.ts'
import { keyOfVariant, parseKeyOfVariant, variantFolder } from '../variant-keys.ts'
import type { Bucket } from './bucket.ts'

const folder = 'media/'

/** Stores pictures in a bucket, as `media/<first two letters>/<name>/<width>.<format>`. */
export function createS3MediaStore(bucket: Bucket): MediaStore {
  async function remove(file: string): Promise<void> {
    const place = variantFolder(file)
    if (place === null) return
    for await (const { key } of bucket.list(`${folder}${place}/`)) await bucket.remove(key)
  }

  return {
    async save(file, variants) {
      for (const { width, format, bytes } of variants) {
        const key = keyOfVariant({ file, width, format })
        if (key === null) throw new Error(`Invalid picture name ${JSON.stringify(file)}.`)
        // After a failure, the files stay: another upload may store the same ones at this moment.
        await bucket.put(`${folder}${key}`, bytes, `image/${format}`)
      }
    },

    async open(file, width, format) {
      const key = keyOfVariant({ file, width, format })
      const bytes = key === null ? null : await bucket.get(`${folder}${key}`)
      return bytes === null ? null : pictureOf(bytes)
    },

    remove,

    async *list() {
      for await (const { key, storedAt } of bucket.list(folder)) {
        const variant = parseKeyOfVariant(key.slice(folder.length))
        if (variant !== null) yield { ...variant, storedAt }
      }
    },

    async lastStored(file) {
      const place = variantFolder(file)
      if (place === null) return null
      const times: Date[] = []
      for await (const { storedAt } of bucket.list(`${folder}${place}/`)) times.push(storedAt)
      return newestOf(times)
    },

    async check() {
      await bucket.get('check')
    },
  }
}
