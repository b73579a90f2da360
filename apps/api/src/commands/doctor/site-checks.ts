import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '#config/config.ts'
import { createBucketStore, mediaFolderOf } from '#context/stores.ts'
import { readDisk } from '#features/ops/index.ts'
import { randomIds } from '#platform/ids.ts'
import { type Check, type Finding, failed, messageOf, ok, skipped } from './check.ts'

const gigabyte = 1024 ** 3
/** As in the alerts. */
const leastFree = 0.1

/** Returns the checks of this machine and of the proxy in front of it. */
export function siteChecks(config: Config, diskOf = readDisk): readonly Check[] {
  return [
    { name: 'disk', run: () => checkDisk(config.dataDir, diskOf) },
    { name: 'media', run: () => checkMedia(config) },
    { name: 'proxy', run: async () => checkProxy(config) },
  ]
}

async function checkDisk(folder: string, diskOf: typeof readDisk): Promise<Finding> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    return failed(
      `DATA_DIR can't be created: ${messageOf(error)}. Let the user of the processes write there, or set DATA_DIR to another folder.`,
    )
  }
  const { freeBytes, sizeBytes } = await diskOf(folder)
  const share = freeBytes / sizeBytes
  const text = `${(freeBytes / gigabyte).toFixed(1)} GB (${Math.floor(share * 100)} %) are free for ${folder}`
  return share < leastFree ? failed(`${text}. Free some, or move DATA_DIR to a larger disk.`) : ok(text)
}

async function checkMedia(config: Config): Promise<Finding> {
  if (config.media.bucket !== null) return await checkBucket(config.media.bucket)
  const folder = mediaFolderOf(config)
  const file = path.join(folder, `.doctor-${process.pid}`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(file, 'A check of tidings doctor.')
    await rm(file)
    return ok(`${folder} can be written`)
  } catch (error) {
    return failed(
      `Pictures can't be stored: ${messageOf(error)}. Let the user of the processes write to DATA_DIR.`,
    )
  }
}

/** Stores, reads and removes a picture. */
async function checkBucket(bucket: NonNullable<Config['media']['bucket']>): Promise<Finding> {
  const { bucket: name, prefix } = bucket.location
  const store = createBucketStore(bucket)
  const file = `doctor${randomIds.name()}.jpg`
  const bytes = Buffer.from('A check of tidings doctor.')
  try {
    await store.save(file, [{ width: 1, format: 'jpeg', bytes }])
    const stored = await store.open(file, 1, 'jpeg')
    await store.remove(file)
    if (stored?.bytes.equals(bytes) === true)
      return ok(`the bucket ${name}/${prefix} can be written and read`)
    return failed(
      `The bucket ${name} returned something else than was stored. Check the endpoint in MEDIA_STORE.`,
    )
  } catch (error) {
    const reason = messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error)
    return failed(
      `Pictures can't be stored: ${reason}. Check MEDIA_STORE, and that AWS_ACCESS_KEY_ID may read, write, list and delete there.`,
    )
  }
}

function checkProxy({ site, http, environment }: Config): Finding {
  const { protocol, hostname, origin } = site.url
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  if (isLocal) return skipped(`The site is for this machine only: SITE_URL is ${origin}.`)
  if (protocol !== 'https:') {
    const text = `SITE_URL is ${origin}, so passwords and cookies are sent in the clear. Put HTTPS in front of the site.`
    return environment === 'production' ? failed(text) : skipped(text)
  }
  if (http.trustProxy === false) {
    return failed(
      'TRUST_PROXY is off, so all readers share the address of the proxy and its limits. Set it to the number of proxies in front of the site.',
    )
  }
  return ok(`${origin}, behind a trusted proxy`)
}
