import { setTimeout as pause } from 'node:timers/promises'
import { uploadPicture } from '@tidings/contracts/desk/media'
import { urlOf } from '@tidings/contracts/endpoint'
import { repositoryRoot } from '@tidings/launcher/repository'
import type { Lifetime } from '../programs/lifetime.ts'
import type { Machine } from './machine.ts'

const image = 'node:24-bookworm-slim'

/** Starts an S3 server beside a machine's containers. Returns the lines of `.env` that make a site use its bucket. */
export async function startBucket(lifetime: Lifetime, machine: Machine): Promise<string[]> {
  const name = nameOf(machine)
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

/**
 * Stops the bucket, and starts it again later. Throws unless uploads are refused with 503 and `Retry-After` all the time,
 * leave nothing in the database, and succeed afterwards.
 */
export async function stopBucket(
  machine: Machine,
  { editorKey, seconds }: { editorKey: string; seconds: number },
): Promise<void> {
  await machine.sh('{ cat .github/images/memo.jpg; echo; } > new.jpg')
  const upload = async () =>
    await machine.sh(
      [
        "curl --silent --output /dev/null --write-out '%{http_code} %header{retry-after}' --cacert ca.crt",
        `--header 'Authorization: Bearer ${editorKey}' --form file=@new.jpg https://localhost${urlOf(uploadPicture)}`,
      ].join(' '),
    )
  const countRows = async () =>
    await machine.sh(
      `docker compose exec -T postgres psql --username tidings --tuples-only --command 'select count(*) from media'`,
    )

  await machine.sh(`docker stop --time 1 ${nameOf(machine)}`)
  const end = performance.now() + seconds * 1_000
  const rowsBefore = await countRows()
  while (performance.now() < end) {
    const reply = await upload()
    if (!/^503 \d+$/.test(reply)) throw new Error(`An upload without the bucket got: ${reply}`)
    await pause(2_000)
  }
  if ((await countRows()) !== rowsBefore) throw new Error('A refused upload left a row.')
  await machine.sh(`docker start ${nameOf(machine)}`)
  await pause(5_000)
  const reply = await upload()
  if (!reply.startsWith('201')) throw new Error(`An upload after the outage got: ${reply}`)
}

function nameOf(machine: Machine): string {
  return `tidings-${machine.name}-bucket`
}
