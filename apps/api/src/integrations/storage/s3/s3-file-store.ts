import type { FileStore } from '../file-store.ts'
import type { Bucket } from './bucket.ts'

const nameForm = /^[a-z0-9]{16,64}\.[a-z]{3}$/

/** Stores files in a folder of a bucket. */
export function createS3FileStore(bucket: Bucket, folder: string): FileStore {
  function keyOf(name: string): string {
    if (!nameForm.test(name)) throw new Error(`Invalid file name ${JSON.stringify(name)}.`)
    return `${folder}/${name}`
  }

  return {
    async save(name, bytes) {
      await bucket.put(keyOf(name), bytes, 'application/octet-stream')
    },

    async find(name) {
      return await bucket.get(keyOf(name))
    },

    async removeStoredBefore(time) {
      for await (const { key, storedAt } of bucket.list(`${folder}/`)) {
        if (storedAt < time) await bucket.remove(key)
      }
    },
  }
}
