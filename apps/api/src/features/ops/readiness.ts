import { readdir } from 'node:fs/promises'
import type { Database } from '#platform/database.ts'

export type Readiness = ReturnType<typeof createReadiness>

export function createReadiness(options: { database: Database; migrationsFolder: string }) {
  let expected: Promise<string[]> | undefined
  return {
    /** Returns the migrations that this code needs and the database lacks. Rejects without a database. */
    async findMissingMigrations(): Promise<string[]> {
      expected ??= listMigrations(options.migrationsFolder)
      const applied = await listApplied(options.database)
      return (await expected).filter((name) => !applied.has(name))
    },
  }
}

/** Returns the names of the applied migrations; none for an empty database. */
async function listApplied({ pool }: Database): Promise<ReadonlySet<string>> {
  const table = await pool.query<{ name: string | null }>(
    `SELECT to_regclass('_prisma_migrations')::text AS name`,
  )
  if (table.rows[0]?.name == null) return new Set()
  const { rows } = await pool.query<{ migration_name: string }>(
    `SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  )
  return new Set(rows.map((row) => row.migration_name))
}

async function listMigrations(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}
