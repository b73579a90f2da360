import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createProgress } from '@tidings/launcher/progress'
import { repositoryRoot } from '@tidings/launcher/repository'
import { runCommand } from '@tidings/launcher/run-command'
import { createLifetime } from '../programs/lifetime.ts'
import { startBucket, stopBucket } from './bucket.ts'
import { documented, documentedBlock } from './documents.ts'
import { copySettings, createMachine, type Machine } from './machine.ts'
import { createReader, type Reader } from './reader.ts'

const domain = { 'news.example.com': 'localhost' }
const password = 'tidings'
const outageSeconds = 60
const title = 'A memo from the shell'

const lifetime = createLifetime()
const progress = createProgress()

/**
 * A day of operation with Docker Compose: every command is in the documents word for word. It needs Docker, curl, the free
 * ports 80, 443 and 3000–3019, Prometheus (`apt-get install prometheus`), a build, and about 40 minutes. `UPGRADE_FROM` is the release to begin with, by default the commit before.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-day-'))
  lifetime.atEnd(() => rm(folder, { recursive: true, force: true }))
  const newest = await revisionOf('HEAD')
  const before = await revisionOf(process.env.UPGRADE_FROM ?? 'HEAD^')
  const { step, say } = progress
  const first = await createMachine(lifetime, { name: 'first', folder, commit: before })

  const reader = await step('Set up with Compose and TLS', () => setUp(first))
  const { key, editorKey } = await step('First edition', () => publish(first))
  await expectEdition(reader, key)

  await step('Backup', () => makeBackup(first))

  await first.sh(documented('docker tag tidings:local tidings:before'))
  const duringUpgrade = await step('Upgrade', () =>
    reader.during(key, async () => {
      await first.sh(documented('git pull --ff-only'))
      await first.sh(documented('docker compose up --detach --build'))
    }),
  )
  say(`  ${describe(duringUpgrade)}`)
  if ((await first.sh('git rev-parse HEAD')).trim() !== newest) throw new Error('git pull did not upgrade.')
  await expectEdition(reader, key)
  await step('Back to the release before, and forward again', async () => {
    await first.sh(documented('docker tag tidings:before tidings:local'))
    await first.sh(documented('docker compose up --detach --no-build --no-deps api worker'))
    await expectEdition(reader, key)
    await first.sh(documented('docker compose up --detach --build'))
    await expectEdition(reader, key)
  })

  await step('Three API processes behind Caddy', () => scale(first, reader, key))
  const second = await createMachine(lifetime, { name: 'second', folder, commit: newest })
  await step('A second host with a bucket', () => addSecondHost(first, second, reader, key))

  const withoutBucket = await step(`The bucket is away for ${outageSeconds} s`, () =>
    reader.during(key, () => stopBucket(first, { editorKey, seconds: outageSeconds })),
  )
  say(`  ${describe(withoutBucket)}`)
  if (withoutBucket.some((status) => status !== 200)) throw new Error('Readers saw that the bucket was away.')
  await expectEdition(reader, key)

  const duringOutage = await step(`The database is away for ${outageSeconds} s`, () =>
    reader.during(key, () => stopDatabase(first)),
  )
  say(`  ${describe(duringOutage)}`)
  if (duringOutage.some((status) => status !== 200))
    throw new Error('Readers saw that the database was away.')
  await expectEdition(reader, key)

  const backup = await step('Backup of the pictures in the bucket', () => makeBackup(first))
  await step('Both machines are lost', async () => {
    await second.end({ volumes: true })
    await first.end({ volumes: true })
  })
  const third = await createMachine(lifetime, { name: 'third', folder, commit: newest })
  const restored = await step('Restore on a new machine', () => restore(first, third, backup))
  await expectEdition(restored, key)
  await third.end({ volumes: true })

  const alerts = documented('npx --yes pnpm@12 --filter @tidings/ops alerts-fire')
  say(`\nEach alert once: ${alerts}`)
  const { code } = await runCommand('sh', ['-c', alerts], { cwd: repositoryRoot, live: true })
  if (code !== 0) throw new Error('An alert did not fire.')
  say('\nThe day is over, and nothing was lost.')
}

async function setUp(machine: Machine): Promise<Reader> {
  await machine.sh(
    documented(
      `printf 'SITE_PASSWORD=%s\\nSITE_SECRET=%s\\nPOSTGRES_PASSWORD=%s\\n' tidings "$(openssl rand -hex 32)" "$(openssl rand -hex 24)" > .env`,
    ),
  )
  await machine.sh(documented('docker compose up --detach --build'))
  await machine.sh(
    documented(
      `printf 'COMPOSE_PROFILES=caddy\\nSITE_DOMAIN=%s\\n' news.example.com >> .env; docker compose up --detach --build`,
      domain,
    ),
  )
  return await readerOf(machine)
}

async function readerOf(machine: Machine): Promise<Reader> {
  const certificate = await machine.sh(
    'until docker compose exec -T caddy cat /data/caddy/pki/authorities/local/root.crt; do sleep 1; done 2>/dev/null | tee ca.crt',
  )
  return await createReader(certificate, password)
}

/** Publishes an edition with one memo and a picture. Returns its key and that of the editor. */
async function publish(machine: Machine): Promise<{ key: string; editorKey: string }> {
  const made = await machine.sh(documented('docker compose exec api tidings keys make desk'))
  const editorKey = /tdk_\w+/.exec(made)?.[0]
  if (editorKey === undefined) throw new Error(`No key in: ${made}`)
  const draft = documentedBlock('SITE=http://localhost:3000', {
    'SITE=http://localhost:3000': 'SITE=https://localhost',
    tdk_development0000000000000000000000000000: editorKey,
  })
  const printed = await machine.sh(`${draft}\n${documentedBlock('MEDIA=$(desk')}`, {
    CURL_CA_BUNDLE: 'ca.crt',
  })
  const key = /#\/edition\/([\w-]+)/.exec(printed)?.[1]
  if (key === undefined) throw new Error(`No edition in: ${printed}`)
  return { key, editorKey }
}

async function expectEdition(reader: Reader, key: string): Promise<void> {
  const { titles, pictures } = await reader.read(key)
  if (titles.join() !== title || pictures.join() !== '200')
    throw new Error(`The edition ${key} has the titles [${titles}] and pictures [${pictures}].`)
}

/** Makes a backup and copies it out of the site, and away from the machine. Returns the name of the file. */
async function makeBackup(machine: Machine): Promise<string> {
  await machine.sh(
    documented(
      'docker compose exec -T api tidings backup --to /backups --keep 14; docker compose cp api:/backups .',
    ),
  )
  const name = (await readdir(join(machine.folder, 'backups'))).toSorted().at(-1)
  if (name === undefined) throw new Error('There is no backup.')
  await copyFile(join(machine.folder, 'backups', name), join(machine.folder, '..', name))
  return name
}

async function scale(machine: Machine, reader: Reader, key: string): Promise<void> {
  await machine.sh(
    documented("printf 'API_PORTS=3000-3009\\nAPI_PROCESSES=3\\n' >> .env; docker compose up --detach"),
  )
  const statuses = await reader.during(key, async () => {
    await pause(5_000)
    // A lost process: Caddy uses the others.
    await machine.sh(`docker kill "$(docker compose ps --quiet api | tail -n 1)"; sleep 5`)
  })
  if (statuses.some((status) => status !== 200))
    throw new Error(`A lost process lost requests: ${describe(statuses)}`)
}

async function addSecondHost(first: Machine, second: Machine, reader: Reader, key: string): Promise<void> {
  await first.addSettings(await startBucket(lifetime, first))
  await first.sh(
    documentedBlock('docker compose run --rm api tidings media migrate\ndocker compose up --detach\n'),
  )
  await expectEdition(reader, key)

  await copySettings(first, second)
  const databasePassword = await first.sh("sed -n 's/^POSTGRES_PASSWORD=//p' .env")
  await second.addSettings([
    `COMPOSE_DATABASE_URL=postgresql://tidings:${databasePassword.trim()}@tidings-first-postgres-1:5432/tidings`,
    'API_PORTS=3010-3019',
    'COMPOSE_PROFILES=',
  ])
  await second.sh(documented('docker compose up --detach --build --no-deps api worker'))
  // The network between the two hosts.
  await second.sh(
    'for id in $(docker compose ps --quiet); do docker network connect tidings-first_default "$id"; done',
  )
  await second.sh(
    `until docker compose exec -T api node -e "fetch('http://127.0.0.1:3000/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"; do sleep 1; done`,
  )
  await second.sh(
    documented('docker compose exec worker tidings deliveries confirm-instance').concat(' --yes'),
  )
}

async function stopDatabase(machine: Machine): Promise<void> {
  // Until each process has the edition in memory.
  await pause(5_000)
  await machine.sh('docker compose stop postgres')
  await pause(outageSeconds * 1_000)
  await machine.sh('docker compose start postgres')
  await pause(3_000)
}

async function restore(lost: Machine, machine: Machine, backup: string): Promise<Reader> {
  await copySettings(lost, machine)
  await machine.sh(`sed -i '/^MEDIA_STORE=/d; /^AWS_/d' .env; cp "../${backup}" .`)
  await machine.sh(documented('docker compose up --detach --build'))
  const example = { 'tidings-20261127T030000Z.tar': backup }
  await machine.sh(
    documented(
      `docker compose exec -T api sh -c 'cat > /backups/latest.tar' < tidings-20261127T030000Z.tar`,
      example,
    ),
  )
  const report = await machine.sh(documented('docker compose exec api tidings restore /backups/latest.tar'))
  progress.say(report.trim().replaceAll(/^/gm, '  '))
  await machine.sh(
    documented('docker compose exec worker tidings deliveries confirm-instance').concat(' --yes'),
  )
  return await readerOf(machine)
}

function describe(statuses: readonly number[]): string {
  const failed = statuses.filter((status) => status !== 200)
  return `${failed.length} of ${statuses.length} reads failed${failed.length > 0 ? `: ${[...new Set(failed)].join(', ')}` : ''}`
}

async function revisionOf(name: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand('git', ['rev-parse', name], { cwd: repositoryRoot })
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
const { exitCode } = process
for (const failure of await lifetime.end()) console.error('Could not be ended:', failure)
process.exit(exitCode)
