import { readdir } from 'node:fs/promises'
import type { Database } from '#platform/database.ts'

export type Readiness = {
  /** What keeps the process from serving, as a sentence; null when it is ready. */
  findObstacle(): Promise<string | null>
}

/** Ready means: the database answers and has every migration that this code was written for. */
export function createReadiness(options: { database: Database; migrationsFolder: string }): Readiness {
  let expected: Promise<string[]> | undefined

  return {
    async findObstacle() {
      expected ??= listMigrations(options.migrationsFolder)
      const applied = await listApplied(options.database)
      const missing = (await expected).filter((name) => !applied.has(name))
      return missing.length === 0 ? null : `The database lacks these migrations: ${missing.join(', ')}`
    },
  }
}

/** Names of the migrations that the database has; none when it has never been migrated. */
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
