import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { onTestFinished } from 'vitest'
import type { BucketLocation } from '#config/media-settings.ts'

export const s3Keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** Starts an S3 server with an empty bucket, until the test has finished. `stop` and `start` take it away and back. */
export async function startS3() {
  const directory = await mkdtemp(join(tmpdir(), 'tidings-s3-'))
  const options = {
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'pictures', configs: [] }],
  }
  let server = new S3rver({ ...options, port: 0 })
  const { port } = await server.run()
  let isRunning = true
  const stop = async () => {
    if (isRunning) await server.close()
    isRunning = false
  }
  onTestFinished(async () => {
    await stop()
    await rm(directory, { recursive: true, force: true })
  })
  const location: BucketLocation = {
    bucket: 'pictures',
    prefix: 'site/',
    region: 'us-east-1',
    endpoint: new URL(`http://127.0.0.1:${port}`),
  }
  return {
    location,
    url: `s3://pictures/site?region=us-east-1&endpoint=http://127.0.0.1:${port}`,
    stop,
    async start() {
      server = new S3rver({ ...options, port })
      await server.run()
      isRunning = true
    },
  }
}
