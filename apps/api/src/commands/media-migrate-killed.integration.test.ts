import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, vi } from 'vitest'
import { compileCache } from '#test/compile-cache.ts'
import { s3Keys, startS3 } from '#test/content/s3-server.ts'
import { temporaryFolder } from '#test/faults/temporary-folder.ts'
import { siteTest } from '#test/fixtures.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import { waitOptions } from '#test/wait-options.ts'
import { createBucketStore, createFolderStore } from '../context/stores.ts'

const it = siteTest({ working: false })
const pictureCount = 40
const program = fileURLToPath(new URL('./tidings.ts', import.meta.url))

/** Returns the bytes of a picture: each has its own. */
function bytesOf(number: number): Buffer {
  return Buffer.alloc(20_000, `picture ${number} `)
}

function nameOf(number: number): string {
  return `${String(number).padStart(26, 'x')}.jpg`
}

describe('media migrate', () => {
  it('goes on where a killed run stopped, with every picture whole', async ({ site }) => {
    const dataDir = await temporaryFolder()
    const s3 = await startS3()
    const bucketConfig = { location: s3.location, keys: { ...s3Keys, sessionToken: undefined } }
    const { config: base } = site.context
    const config = { ...base, dataDir, media: { ...base.media, bucket: bucketConfig } }
    const folder = createFolderStore(config)
    await mkdir(path.join(dataDir, 'media'))
    for (let number = 0; number < pictureCount; number += 1) {
      await folder.save(nameOf(number), [{ width: 360, format: 'jpeg', bytes: bytesOf(number) }])
    }
    const bucket = createBucketStore(bucketConfig)
    const hasPicture = async () => {
      for await (const _variant of bucket.list()) return true
      return false
    }

    const child = spawn(process.execPath, [program, 'media', 'migrate'], {
      cwd: dataDir,
      env: {
        ...compileCache,
        DATABASE_URL: base.database.url,
        DATA_DIR: dataDir,
        MEDIA_STORE: s3.url,
        AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
      },
      stdio: 'ignore',
    })
    await vi.waitFor(async () => expect(await hasPicture()).toBe(true), waitOptions)
    child.kill('SIGKILL')
    await once(child, 'close')

    const { printed } = await runInProcess(['media', 'migrate', '--json'], config)
    const { files, copied, unchanged } = JSON.parse(printed)
    expect([files, copied + unchanged]).toEqual([pictureCount, pictureCount])
    expect(unchanged).toBeGreaterThan(0)
    for (let number = 0; number < pictureCount; number += 1) {
      expect((await bucket.open(nameOf(number), 360, 'jpeg'))?.bytes).toEqual(bytesOf(number))
    }
  }, 120_000)
})
