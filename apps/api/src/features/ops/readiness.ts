import { readdir } from 'node:fs/promises'
import type { Database } from '../../platform/database.ts'

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
      const { rows } = await options.database.pool.query<{ migration_name: string }>(
        `SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
      )
      const applied = new Set(rows.map((row) => row.migration_name))
      const missing = (await expected).filter((name) => !applied.has(name))
      return missing.length === 0 ? null : `The database lacks these migrations: ${missing.join(', ')}`
    },
  }
}

async function listMigrations(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}
