import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testS3 } from '@tidings/launcher/test-s3'
import { AwsClient } from 'aws4fetch'
import S3rver from 's3rver'
import { onTestFinished } from 'vitest'
import type { BucketLocation } from '#config/media-settings.ts'
import { randomIds } from '#platform/ids.ts'
import { startTcpProxy } from '../faults/tcp-proxy.ts'

/** With another server's port, as `check-swift` sets it, the tests use that one. */
const { port: otherPort, accessKeyId, secretAccessKey } = testS3()

export const s3Keys = { accessKeyId, secretAccessKey }

type S3Server = { bucket: string; port: number; stop(): Promise<void>; start(): Promise<void> }

/** Starts an S3 server with an empty bucket, until the test has finished. `stop` and `start` take it away and back. */
export async function startS3() {
  const { bucket, port, stop, start } =
    otherPort === null ? await startS3rver() : await createBucketAt(`http://127.0.0.1:${otherPort}`)
  const location: BucketLocation = {
    bucket,
    prefix: 'site/',
    region: 'us-east-1',
    endpoint: new URL(`http://127.0.0.1:${port}`),
  }
  return {
    location,
    url: `s3://${bucket}/site?region=us-east-1&endpoint=http://127.0.0.1:${port}`,
    stop,
    start,
  }
}

async function startS3rver(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'tidings-s3-'))
  const bucket = 'pictures'
  const options = {
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
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
  return {
    bucket,
    port,
    stop,
    async start() {
      server = new S3rver({ ...options, port })
      await server.run()
      isRunning = true
    },
  }
}

/** Creates a bucket at another server, behind a proxy that takes it away from this test only. */
async function createBucketAt(server: string): Promise<S3Server> {
  const bucket = `pictures-${randomIds.name()}`
  const client = new AwsClient({ ...s3Keys, service: 's3', region: 'us-east-1' })
  const { status } = await client.fetch(`${server}/${bucket}`, { method: 'PUT' })
  if (status !== 200) throw new Error(`The bucket was not created: ${status}`)
  const proxy = await startTcpProxy(server)
  return {
    bucket,
    port: Number(new URL(proxy.url).port),
    stop: async () => proxy.cut(),
    start: async () => proxy.thaw(),
  }
}
