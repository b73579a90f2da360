import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@tidings/launcher/embedded-postgres'
import pg from 'pg'
import { explainDatabaseError } from './database-error.ts'
import { describingAdapter } from './describing-adapter.ts'
import { everything, loadSchemaEngine, readSchema } from './engine.ts'
import { migrate } from './migrate.ts'

/**
 * Returns the SQL of the next migration: what leads from the last migration to the schema files.
 * It uses a scratch database on the server of `databaseUrl` and touches nothing else there.
 */
export async function diffMigrations(databaseUrl: string): Promise<string> {
  const name = `tidings_diff_${randomUUID().replaceAll('-', '')}`
  const scratchUrl = new URL(databaseUrl)
  scratchUrl.pathname = `/${name}`
  const admin = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  await admin.connect()
  try {
    await admin.query(`create database ${name}`)
    await migrate({ databaseUrl: scratchUrl.href })
    return await diffFrom(scratchUrl.href)
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  }
}

/** Returns the SQL that leads from the current state of a database to the schema files. */
async function diffFrom(databaseUrl: string) {
  const schema = await readSchema()
  const pool = new pg.Pool({ connectionString: databaseUrl })
  pool.on('error', () => {})
  try {
    const engine = await loadSchemaEngine(describingAdapter(pool), schema)
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files: schema, configDir: import.meta.dirname },
      to: { tag: 'schemaDatamodel', files: schema },
      script: true,
      exitCode: null,
      filters: everything,
    })
    return stdout ?? ''
  } finally {
    await pool.end()
  }
}

async function main() {
  if (process.env.DATABASE_URL) return diffMigrations(process.env.DATABASE_URL)
  const dataDir = await mkdtemp(join(tmpdir(), 'tidings-diff-'))
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
  try {
    return await diffMigrations(server.adminUrl)
  } finally {
    await server.destroy()
  }
}

if (import.meta.main) {
  try {
    console.log(await main())
    process.exit(0)
  } catch (error) {
    console.error(explainDatabaseError(error, process.env.DATABASE_URL))
    process.exit(1)
  }
}
