import { readdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import type { Config } from '#config/config.ts'
import { connectionsBesidePool, mostConnections, readConnectionBudget } from '#platform/connection-budget.ts'
import { selectLeftovers } from '../backup/fresh-database.ts'
import { type Check, type Finding, failed, messageOf, ok } from './check.ts'

const oldestPostgres = 180_000
const extensions = ['pg_trgm', 'unaccent']
const longestDriftMs = 2_000
const hearingMs = 3_000

const settingsSchema = z.object({
  number: z.number(),
  version: z.string(),
  encoding: z.string(),
  ctype: z.string(),
  separates: z.boolean(),
  extensions: z.array(z.string()),
})

/** Returns the checks of the database: one each, with a connection of its own. */
export function databaseChecks({ database, locations }: Config): readonly Check[] {
  const check = (
    name: string,
    work: (client: pg.Client) => Promise<Finding>,
    url: string = database.url,
  ): Check => ({ name, run: () => withClient(url, work) })
  return [
    check('database', checkSettings),
    check('connections', (client) => checkConnections(client, database.connections)),
    check('notifications', (client) => checkHearing(client, database.url), database.listenUrl),
    check('migrations', (client) => checkMigrations(client, locations.migrations)),
    check('clock', checkClock),
    check('restores', checkRestores),
  ]
}

async function withClient(url: string, work: (client: pg.Client) => Promise<Finding>): Promise<Finding> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  // A lost connection also rejects the query that is running.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : messageOf(error)
    return failed(`The database can't be reached: ${reason}. Check that it is running, and DATABASE_URL.`)
  }
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function checkRestores(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query(selectLeftovers)
  const names = z
    .object({ name: z.string() })
    .array()
    .parse(rows)
    .map(({ name }) => name)
  if (names.length === 0) return ok('none was interrupted')
  return failed(
    `An interrupted restore left ${names.join(', ')}. Unless one is running, run it again, which deletes them, or DROP DATABASE.`,
  )
}

async function checkSettings(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
            current_setting('server_encoding') AS encoding, datctype AS ctype,
            to_tsvector('simple', 'dam…burst') @@ 'burst' AS separates,
            ARRAY(SELECT extname::text FROM pg_extension) AS extensions
     FROM pg_database WHERE datname = current_database()`,
  )
  const { number, version, encoding, ctype, separates, ...found } = settingsSchema.parse(rows[0])
  const missing = extensions.filter((name) => !found.extensions.includes(name))
  const problems = [
    ...(number < oldestPostgres ? [`PostgreSQL ${version} is too old. Upgrade it to 18 or later.`] : []),
    ...(encoding === 'UTF8' ? [] : [`The encoding is ${encoding}. Restore a dump into a UTF8 database.`]),
    ...(missing.length > 0
      ? [`These extensions are missing: ${missing.join(', ')}. Run 'tidings migrate'.`]
      : []),
    ...(separates
      ? []
      : [
          `With the LC_CTYPE ${ctype}, the search doesn't find words beside quotes and dashes. Restore a dump into a database with LC_CTYPE 'C.UTF-8', as OPERATING.md shows.`,
        ]),
  ]
  return problems.length === 0 ? ok(`PostgreSQL ${version}, ${ctype}`) : failed(problems.join(' '))
}

async function checkConnections(client: pg.Client, pool: number): Promise<Finding> {
  const budget = await readConnectionBudget({
    $queryRaw: async (strings) => (await client.query(strings.join(''))).rows,
    $queryRawUnsafe: async (text) => (await client.query(text)).rows,
  })
  const { usable, processes } = budget
  const perProcess = pool + connectionsBesidePool
  const needed = mostConnections(budget, perProcess)
  const fitting = Math.floor(usable / perProcess)
  const text = `${processes} processes may use ${perProcess} connections each, with all others ${needed} of ${usable}; ${fitting} processes fit`
  if (fitting >= 2 && needed <= usable) return ok(text)
  return failed(`${text}. Raise max_connections, lower DATABASE_CONNECTIONS, or run fewer processes.`)
}

async function checkHearing(client: pg.Client, url: string): Promise<Finding> {
  const heard = new Promise<boolean>((resolve) => client.once('notification', () => resolve(true)))
  await client.query('LISTEN tidings_doctor')
  await withClient(url, async (other) => {
    await other.query(`SELECT pg_notify('tidings_doctor', '')`)
    return ok('sent')
  })
  if (await Promise.race([heard, delay(hearingMs, false, { ref: false })])) return ok('LISTEN hears a NOTIFY')
  return failed(
    'LISTEN hears no NOTIFY, so withdrawn memos and ended sessions would stay cached. A pooler in transaction mode does that: set DATABASE_LISTEN_URL to PostgreSQL itself.',
  )
}

async function checkMigrations(client: pg.Client, folder: string): Promise<Finding> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const { rows } = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "isMigrated"`)
  if (!z.object({ isMigrated: z.boolean() }).parse(rows[0]).isMigrated)
    return failed("The database is empty. Run 'tidings migrate'.")
  const applied = await client.query(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL',
  )
  const known = new Set(
    z
      .array(z.object({ name: z.string() }))
      .parse(applied.rows)
      .map(({ name }) => name),
  )
  const missing = names.filter((name) => !known.has(name))
  if (missing.length === 0) return ok(`all ${names.length} are applied`)
  return failed(`${missing.length} are missing, such as ${missing[0]}. Run 'tidings migrate'.`)
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const before = Date.now()
  const { rows } = await client.query('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms')
  const { ms } = z.object({ ms: z.number() }).parse(rows[0])
  const driftMs = Math.round(ms - (before + Date.now()) / 2)
  const text = `The database's clock differs by ${driftMs} ms from this machine's`
  return Math.abs(driftMs) > longestDriftMs ? failed(`${text}. Turn on NTP on both.`) : ok(text)
}
