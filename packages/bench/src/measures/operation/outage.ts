import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { urlOf } from '@tidings/contracts/endpoint'
import { listMemos } from '@tidings/contracts/routes'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@tidings/launcher/embedded-postgres'
import { runMigrations } from '@tidings/launcher/migrations'
import pg from 'pg'
import { spreadEditions } from '../../data/edition-keys.ts'
import { fillEditions } from '../../data/fill-editions.ts'
import type { Lifetime } from '../../programs/lifetime.ts'
import type { Row } from '../../results/table.ts'
import { startApi } from '../../sites/api.ts'
import type { Bench } from '../../sites/bench.ts'

const perSecond = 200
const beforeSeconds = 3
const afterSeconds = 10
/** From the return of the database until every read is current again. */
const graceMs = 1_000
const changedTitle = 'Changed while the API could not know'

/** A read edition: when it was sent, in ms, and what it returned. */
type Read = { sentAt: number; status: number; isStale: boolean; isChanged: boolean }

/**
 * Stops the database for a minute while cached editions are read. It comes back with other titles, of which the API got no
 * notification.
 */
export async function measureOutage(bench: Bench): Promise<Row[]> {
  return await bench.lifetime.within(async (lifetime) => {
    const { progress, quick } = bench
    const outageSeconds = quick ? 15 : 60
    const folder = await mkdtemp(join(tmpdir(), 'tidings-outage-'))
    // As root, PostgreSQL runs as another user, who has to enter the folder.
    await chmod(folder, 0o711)
    lifetime.atEnd(() => rm(folder, { recursive: true, force: true }))
    const postgres = await startPostgres(lifetime, folder)
    await progress.step('Filling a database with one week of editions', async () => {
      await runMigrations(postgres.url)
      await fillEditions(postgres.url, { from: '2026-11-14', to: '2026-11-20' })
    })
    const keys = await spreadEditions(postgres.url, 20)
    const api = await startApi(lifetime, { name: 'outage', databaseUrl: postgres.url, dataDir: folder })
    const urls = keys.map((key) => api.url + urlOf(listMemos, { params: { key } }))
    const agent = new Agent({ keepAlive: true })
    for (const url of urls) await read(agent, url, api.cookie)
    const logFile = join(folder, 'logs/outage.log')
    const loggedBefore = (await stat(logFile)).size

    const reading = readAll(urls, api.cookie, beforeSeconds + outageSeconds + afterSeconds)
    const { awayAt, startedAt, backAt } = await progress.step(
      `Reading while the database is away for ${outageSeconds} s`,
      async () => {
        await pause(beforeSeconds * 1_000)
        await postgres.stop()
        const awayAt = performance.now()
        await pause(outageSeconds * 1_000)
        const startedAt = performance.now()
        const back = await startPostgres(lifetime, folder, postgres.port)
        await changeTitles(back.url)
        return { awayAt, startedAt, backAt: performance.now() }
      },
    )
    const reads = await reading
    agent.destroy()
    const during = reads.filter(({ sentAt }) => sentAt >= awayAt && sentAt < backAt)
    const after = reads.filter(({ sentAt }) => sentAt >= backAt + graceMs)
    const succeeded = during.filter(({ status }) => status === 200).length
    const noticed = during.filter(({ sentAt }) => sentAt >= awayAt + graceMs && sentAt < startedAt)
    const withAge = noticed.filter(({ isStale }) => isStale).length
    const notCurrent = after.filter(
      ({ status, isStale, isChanged }) => status !== 200 || isStale || !isChanged,
    )
    const logged = ((await stat(logFile)).size - loggedBefore) / 1_000
    return [
      {
        measure: `Cached editions that succeed while the database is away for ${outageSeconds} s, of ${during.length} at ${perSecond}/s`,
        figure: String(succeeded),
        target: String(during.length),
        passed: during.length > 0 && succeeded === during.length,
      },
      {
        measure: `Those that say so in a header, of ${noticed.length} from 1 s after it went away`,
        figure: String(withAge),
        target: String(noticed.length),
        passed: noticed.length > 0 && withAge === noticed.length,
      },
      {
        measure: `Reads that are not current from 1 s after its return, of ${after.length}`,
        figure: String(notCurrent.length),
        target: '0',
        passed: after.length > 0 && notCurrent.length === 0,
      },
      {
        measure: 'Log of the API in this time',
        figure: `${logged.toFixed(1)} kB`,
        target: '< 100 kB',
        passed: logged < 100,
      },
    ]
  })
}

async function startPostgres(lifetime: Lifetime, folder: string, port?: number): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), port })
  lifetime.atEnd(() => server.stop())
  return server
}

async function changeTitles(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('UPDATE memo SET title = $1', [changedTitle])
  } finally {
    await client.end()
  }
}

async function readAll(urls: readonly string[], cookie: string, seconds: number): Promise<Read[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const began = performance.now()
  const reads: Promise<Read>[] = []
  while (reads.length < seconds * perSecond) {
    await pause(Math.max(0, began + (reads.length * 1_000) / perSecond - performance.now()))
    reads.push(read(agent, urls[reads.length % urls.length] ?? '', cookie))
  }
  const all = await Promise.all(reads)
  agent.destroy()
  return all
}

function read(agent: Agent, url: string, cookie: string): Promise<Read> {
  const sentAt = performance.now()
  return new Promise((resolve) => {
    const fail = () => resolve({ sentAt, status: 0, isStale: false, isChanged: false })
    const request = get(url, { agent, headers: { Cookie: cookie }, timeout: 10_000 }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        body += part
      })
      response.on('error', fail)
      response.on('end', () =>
        resolve({
          sentAt,
          status: response.statusCode ?? 0,
          isStale: String(response.headers['cache-status']).includes('database-unavailable'),
          isChanged: body.includes(changedTitle),
        }),
      )
    })
    request.on('timeout', () => request.destroy(new Error('timeout')))
    request.on('error', fail)
  })
}
