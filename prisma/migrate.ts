import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { codeOf, explainDatabaseError } from './database-error.ts'
import { type Columns, findMissing, listApplied, listUnknown, type Migration } from './migration-history.ts'

/** The advisory lock of `prisma migrate deploy`, so that the two never run at once. */
const migrationLock = 72_707_369
const lockRetryMs = 100

/** The first version with `uuidv7()`. */
const oldestPostgres = 180_000

/** Raised by CREATE INDEX CONCURRENTLY and other statements that PostgreSQL runs outside a transaction only. */
const insideTransaction = '25001'

const unseparatedWords =
  "the search doesn't find words beside quotes, dashes and no-break spaces, because of the LC_CTYPE of this database. Dump it, create another one with CREATE DATABASE name ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C' TEMPLATE template0, restore the dump there, and run 'tidings search reindex'."

type MigrateOptions = {
  databaseUrl: string
  /** Folder of the migrations; the project's own by default. */
  migrationsDir?: string
  /** The last migration to apply; the newest by default. */
  until?: string | undefined
  onProgress?: (line: string) => void
}

/** Applies the missing migrations in the order of their names. Rejects with a message that says what to do. */
export async function migrate({
  databaseUrl,
  migrationsDir = join(import.meta.dirname, 'migrations'),
  until,
  onProgress = () => {},
}: MigrateOptions): Promise<void> {
  try {
    const all = await readMigrations(migrationsDir)
    const migrations = all.filter(({ name }) => until === undefined || name <= until)
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
    // A lost connection also rejects the query that is running.
    client.on('error', () => {})
    try {
      await client.connect()
      await requireSuitable(client)
      await takeLock(client, onProgress)
      const applied = await listApplied(client)
      const missing = findMissing(migrations, applied)
      const unknown = listUnknown(migrations, applied)
      if (unknown.length > 0) onProgress(`The database is ahead of this version by ${unknown.join(', ')}`)
      for (const migration of missing) {
        await apply(client, migration)
        onProgress(`Applied ${migration.name}`)
      }
      if (!(await separatesWords(client))) onProgress(`Warning: ${unseparatedWords}`)
    } finally {
      await client.end()
    }
  } catch (error) {
    throw new Error(explainDatabaseError(error, databaseUrl), { cause: error })
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(
    names.sort().map(async (name) => {
      const text = await readFile(join(folder, name, 'migration.sql'), 'utf8')
      // A checkout on Windows may have other line endings.
      const sql = text.replaceAll('\r\n', '\n')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function requireSuitable(client: pg.Client) {
  const { rows } = await client.query<Columns>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
            current_setting('server_encoding') AS encoding`,
  )
  const [database] = rows
  if (database && Number(database.number) < oldestPostgres) {
    throw new Error(`Tidings needs PostgreSQL 18 or later. This database runs ${database.version}.`)
  }
  if (database && database.encoding !== 'UTF8') {
    throw new Error(
      `Tidings needs a database with the encoding UTF8; this one has ${database.encoding}. Create another: CREATE DATABASE name ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C' TEMPLATE template0.`,
    )
  }
}

/** Returns whether full-text search knows that a typographic sign is no letter, which depends on LC_CTYPE. */
async function separatesWords(client: pg.Client) {
  const { rows } = await client.query<Columns>(
    `SELECT to_tsvector('simple', 'dam…burst') @@ 'burst' AS separates`,
  )
  return rows[0]?.separates === true
}

// NOTE: a blocking lock would hold a snapshot, for which CREATE INDEX CONCURRENTLY in the other process waits.
async function takeLock(client: pg.Client, onProgress: (line: string) => void) {
  const take = 'SELECT pg_try_advisory_lock($1) AS "isTaken"'
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await client.query<Columns>(take, [migrationLock])
    if (rows[0]?.isTaken === true) return
    if (attempt === 1) onProgress('Waiting for another process that is migrating this database')
    await delay(lockRetryMs)
  }
}

/** Applies a migration and records it in one transaction, so that a failure or a crash leaves no trace. */
async function apply(client: pg.Client, migration: Migration) {
  try {
    await client.query('BEGIN')
    await run(client, migration)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    if (codeOf(error) !== insideTransaction) {
      throw new Error(`Migration ${migration.name} failed and was rolled back: ${messageOf(error)}`)
    }
    await run(client, migration)
  }
}

async function run(client: pg.Client, { name, checksum, sql }: Migration) {
  const id = randomUUID()
  const start = 'INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)'
  const finish =
    'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1'
  await client.query(start, [id, checksum, name])
  await client.query(sql)
  await client.query(finish, [id])
}

function messageOf(error: unknown) {
  return error instanceof Error ? error.message : String(error)
}

async function main() {
  const databaseUrl = process.env.DATABASE_URL
  if (!databaseUrl) throw new Error('DATABASE_URL is not set. Set it to the database to migrate.')
  await migrate({ databaseUrl, until: process.argv[2], onProgress: console.log })
  console.log('Database is up to date')
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    console.error(messageOf(error))
    process.exitCode = 1
  })
}
