import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '#platform/clock.ts'
import { fail } from '#platform/errors.ts'
import type { Ids } from '#platform/ids.ts'
import { lazily } from '#platform/lazily.ts'
import { orWhenMissing } from '#platform/system-errors.ts'
import type { UploadSpool } from './upload-spool.ts'

/** No upload takes longer, so older files were left by a killed process. */
const abandonedMs = 3_600_000

type Deps = { folder: string; clock: Clock; ids: Ids }

/** Creates the spool in a folder, which processes may share. The first upload deletes what killed processes left. */
export function createDiskUploadSpool({ folder, clock, ids }: Deps): UploadSpool {
  const prepareFolder = lazily(async () => {
    await mkdir(folder, { recursive: true })
    for (const name of await readdir(folder)) {
      const left = path.join(folder, name)
      const found = await orWhenMissing(stat(left), null)
      if (found !== null && clock.now().getTime() - found.mtimeMs > abandonedMs)
        await rm(left, { force: true })
    }
  })

  async function write(file: string, stream: AsyncIterable<Uint8Array>) {
    await using handle = await open(file, 'wx', 0o600).catch(refuse)
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of stream) {
      hash.update(chunk)
      bytes += chunk.byteLength
      await handle.writeFile(chunk).catch(refuse)
    }
    return { bytes, hash: hash.digest('hex') }
  }

  return {
    async receive(stream) {
      await prepareFolder().catch(refuse)
      const file = path.join(folder, ids.name())
      const remove = () => rm(file, { force: true })
      try {
        return { path: file, ...(await write(file, stream)), [Symbol.asyncDispose]: remove }
      } catch (error) {
        await remove()
        throw error
      }
    },
  }
}

function refuse(error: unknown): never {
  throw fail('service-unavailable', error)
}
