import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { everything, loadSchemaEngine } from './engine.ts'
import { explainDatabaseError, explainHistory } from './explain.ts'
import { readMigrations, readSchema } from './migration-files.ts'
import { withWholeScripts } from './whole-scripts.ts'

// One lock for 'look, then apply', so that a second process never sees a migration half way.
const migrationLock = 7_483_920_114

/** `uuidv7()` came with this version. */
const oldestPostgres = 180_000

type Options = {
  databaseUrl: string
  /** Folder of the migrations; the project's own unless a test brings another. */
  migrationsDir?: string
  onProgress?: (line: string) => void
}

/**
 * Brings the database up to date, in a process of its own: the engine keeps its process alive for seconds.
 * Rejects with the reason, in words for people, when it cannot.
 */
export async function migrate({ databaseUrl, migrationsDir, onProgress = () => {} }: Options): Promise<void> {
  const args = [fileURLToPath(import.meta.url), ...(migrationsDir ? ['--migrations', migrationsDir] : [])]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const complaints: string[] = []
  createInterface({ input: child.stdout }).on('line', onProgress)
  createInterface({ input: child.stderr }).on('line', (line) => complaints.push(line))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0) throw new Error(complaints.join('\n') || `Migrating ended with code ${code}.`)
}

/** Applies what is missing, here and now, and answers with the names of what was applied. */
async function applyMigrations({ databaseUrl, migrationsDir, onProgress = () => {} }: Options) {
  const migrationsList = await readMigrations(migrationsDir)
  const schema = await readSchema()
  const pool = new pg.Pool({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  // A lost connection surfaces in the query that needed it.
  pool.on('error', () => {})
  const guard = await pool.connect()
  try {
    await requireVersion(guard)
    await takeLock(guard, onProgress)
    const engine = await loadSchemaEngine(withWholeScripts(new PrismaPg(pool)), schema)
    const filters = everything
    const diagnosis = await engine.diagnoseMigrationHistory({
      migrationsList,
      optInToShadowDatabase: false,
      filters,
    })
    const note = explainHistory(diagnosis)
    if (note) onProgress(note)
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters })
    return appliedMigrationNames
  } finally {
    guard.release(true)
    await pool.end()
  }
}

async function requireVersion(client: pg.ClientBase) {
  const { rows } = await client.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  )
  const [version] = rows
  if (version && version.number < oldestPostgres) {
    throw new Error(`PostgreSQL 18 or later is needed; this database runs ${version.name}.`)
  }
}

async function takeLock(client: pg.ClientBase, onProgress: (line: string) => void) {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    migrationLock,
  ])
  if (rows[0]?.taken) return
  onProgress('Another process is migrating this database: waiting for it')
  await client.query('select pg_advisory_lock($1)', [migrationLock])
}

async function main() {
  const { values } = parseArgs({ options: { migrations: { type: 'string' } } })
  const databaseUrl = process.env.DATABASE_URL
  if (!databaseUrl) throw new Error('DATABASE_URL is not set: it names the database to migrate.')
  const applied = await applyMigrations({
    databaseUrl,
    ...(values.migrations ? { migrationsDir: values.migrations } : {}),
    onProgress: (line) => console.log(line),
  })
  for (const name of applied) console.log(`Applied ${name}`)
  console.log('Database is up to date')
}

if (import.meta.main) {
  try {
    await main()
    process.exit(0)
  } catch (error) {
    console.error(explainDatabaseError(error, process.env.DATABASE_URL))
    process.exit(1)
  }
}
