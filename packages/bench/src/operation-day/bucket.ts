import { repositoryRoot } from '@tidings/launcher/repository'
import type { Lifetime } from '../programs/lifetime.ts'
import type { Machine } from './machine.ts'

const image = 'node:24-bookworm-slim'

/** Starts an S3 server beside a machine's containers. Returns the lines of `.env` that make a site use its bucket. */
export async function startBucket(lifetime: Lifetime, machine: Machine): Promise<string[]> {
  const name = `tidings-${machine.name}-bucket`
  lifetime.atEnd(async () => {
    await machine.sh(`docker rm --force ${name}`)
  })
  await machine.sh(
    [
      `docker run --detach --name ${name} --network tidings-${machine.name}_default --network-alias bucket`,
      `--volume '${repositoryRoot}:/repository:ro' --workdir /repository/apps/api ${image}`,
      'node node_modules/s3rver/bin/s3rver.js --directory /tmp/buckets --address 0.0.0.0 --port 4568 --no-vhost-buckets --configure-bucket tidings',
    ].join(' '),
  )
  return [
    'MEDIA_STORE=s3://tidings?region=us-east-1&endpoint=http://bucket:4568',
    'AWS_ACCESS_KEY_ID=S3RVER',
    'AWS_SECRET_ACCESS_KEY=S3RVER',
  ]
}
