import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { Config } from '#config/config.ts'
import { parseBucketLocation } from '#config/media-settings.ts'
import { createLargeBucket } from '#context/stores.ts'
import { orWhenMissing } from '#platform/system-errors.ts'
import { BackupError } from './backup-error.ts'
import { openBackupFolder } from './backup-folder.ts'
import { newestFirst } from './backup-name.ts'
import type { BackupStore } from './backup-store.ts'

const bucketExample = 's3://bucket/prefix?region=eu-central-1&endpoint=https://s3.example.com'

/** Opens the place of backups that an operator named: a folder, or a bucket as `s3://…`. */
export function openBackupPlace(place: string, config: Config): BackupStore {
  return /^s3:/i.test(place) ? openBackupBucket(place, config) : openBackupFolder(path.resolve(place))
}

/** Finds a backup that an operator named: a file, an object of a bucket, or the newest of a folder or bucket. */
export async function findBackup(
  place: string,
  config: Config,
): Promise<{ store: BackupStore; name: string }> {
  const { store, name } = /^s3:/i.test(place) ? inBucket(place, config) : await inFolder(place)
  if (name === null) {
    const [newest] = await store.list()
    if (newest === undefined) throw new BackupError(`${place} has no backups. Nothing was changed.`)
    return { store, name: newest }
  }
  if ((await store.sizeOf(name)) !== null) return { store, name }
  const known = (await store.list()).slice(0, 3).map((each) => store.addressOf(each))
  const hint = known.length > 0 ? ` The newest ones are ${known.join(', ')}.` : ''
  throw new BackupError(`${place} doesn't exist.${hint} Nothing was changed.`)
}

async function inFolder(place: string): Promise<{ store: BackupStore; name: string | null }> {
  const file = path.resolve(place)
  const found = await orWhenMissing(stat(file), null)
  if (found?.isDirectory() === true) return { store: openBackupFolder(file), name: null }
  return { store: openBackupFolder(path.dirname(file)), name: path.basename(file) }
}

function inBucket(place: string, config: Config): { store: BackupStore; name: string | null } {
  const [address = '', query = ''] = place.split('?')
  const [, folder = '', name = ''] = /^(.*\/)([^/]*)$/.exec(address) ?? []
  const isFile = newestFirst([name]).length > 0
  const store = openBackupBucket(`${isFile ? folder : address}?${query}`, config)
  return { store, name: isFile ? name : null }
}

function openBackupBucket(place: string, { media: { keys } }: Config): BackupStore {
  const location = parseBucketLocation(place)
  if (location === null) throw new BackupError(`${place} can't be used. Name a bucket like ${bucketExample}.`)
  if (keys === null)
    throw new BackupError('Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, which open the bucket.')
  const { bucket, objects } = createLargeBucket({ location, keys })
  const [, query = ''] = place.split('?')
  async function* list() {
    for await (const { key, bytes } of bucket.list('')) yield { key, bytes }
  }
  async function sizeOf(name: string): Promise<number | null> {
    for await (const { key, bytes } of bucket.list(name)) if (key === name) return bytes
    return null
  }
  return {
    kind: 'bucket',
    addressOf: (name) =>
      `s3://${location.bucket}/${location.prefix}${name}${query === '' ? '' : `?${query}`}`,
    async list() {
      const names: string[] = []
      for await (const { key } of list()) names.push(key)
      return newestFirst(names)
    },
    sizeOf,
    freeBytes: async () => null,
    // An upload that isn't completed is in no list; the bucket's own rule deletes its parts.
    removeLeftovers: async () => [],
    write: (name, content) => objects.write(name, content),
    async open(name) {
      return Readable.from(objects.read(name, (await sizeOf(name)) ?? 0), { objectMode: false })
    },
    remove: (name) => bucket.remove(name),
  }
}
