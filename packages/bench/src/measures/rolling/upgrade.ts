import { runMigrations } from '@tidings/launcher/migrations'
import pg from 'pg'
import { fillEditions } from '../../data/fill-editions.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import { isInstalled } from '../../sites/proxy.ts'
import { buildEarlierRelease } from './earlier-release.ts'
import { sayFailures, startRollingSite } from './rolling-site.ts'

const days = { from: '2026-11-14', to: '2026-11-20' }

/**
 * Upgrades two API processes behind HAProxy from an earlier release, over the migrations since, and goes back to it on the
 * migrated database. Counts the requests that failed meanwhile.
 */
export async function measureUpgrade(bench: Bench): Promise<Row[]> {
  if (!isInstalled('haproxy')) return [{ measure: 'An upgrade', figure: 'haproxy is not installed' }]
  return await bench.lifetime.within(async (lifetime) => {
    const { progress, quick } = bench
    const earlier = await progress.step('Building an earlier release', () => buildEarlierRelease(lifetime))
    const databaseUrl = await createDatabase(await (await bench.databases()).week(), 'upgrade')
    await earlier.migrate(databaseUrl)
    await fillEditions(databaseUrl, days)
    const before = await countMigrations(databaseUrl)
    const site = await startRollingSite(bench, lifetime, {
      proxy: 'haproxy',
      databaseUrl,
      program: earlier.api,
    })
    const count = quick ? 4_000 : 10_000
    const upgrade = await progress.step(`Upgrading from ${earlier.commit}`, () =>
      Promise.all([
        site.send(count),
        (async () => {
          await runMigrations(databaseUrl)
          await site.restartAll()
        })(),
      ]),
    )
    sayFailures(bench, upgrade[0])
    const migrations = (await countMigrations(databaseUrl)) - before
    const rollback = await progress.step(`Going back to ${earlier.commit}`, () =>
      Promise.all([site.send(count), site.restartAll(earlier.api)]),
    )
    sayFailures(bench, rollback[0])
    return [
      rowOf(
        `Failed requests of ${count} in an upgrade from ${earlier.commit} over ${migrations} migrations`,
        upgrade[0],
      ),
      rowOf(`Failed requests of ${count} going back to ${earlier.commit} on these migrations`, rollback[0]),
    ]
  })
}

function rowOf(measure: string, failures: readonly string[]): Row {
  return { measure, figure: String(failures.length), target: '0', passed: failures.length === 0 }
}

/** Creates an empty database on the server of another one. */
async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await query(serverUrl, `CREATE DATABASE ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function countMigrations(databaseUrl: string): Promise<number> {
  const rows = await query(databaseUrl, 'SELECT FROM _prisma_migrations WHERE finished_at IS NOT NULL')
  return rows.length
}

async function query(databaseUrl: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
