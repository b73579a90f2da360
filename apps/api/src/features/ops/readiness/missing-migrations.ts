import { readdir } from 'node:fs/promises'
import { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

/** Returns a function that lists the migrations that this code needs and the database lacks. */
export function createMissingMigrations({ sql }: Database, folder: string) {
  let expected: Promise<string[]> | undefined
  return async (): Promise<string[]> => {
    expected ??= listMigrations(folder)
    const applied = await listApplied(sql)
    return (await expected).filter((name) => !applied.has(name))
  }
}

const tableRowSchema = z.object({ name: z.string().nullable() })
const migrationRowSchema = z.object({ name: z.string() })

/** Returns the names of the applied migrations; none for an empty database. */
async function listApplied(sql: Database['sql']): Promise<ReadonlySet<string>> {
  const [table] = await queryRows(sql, tableRowSchema)`SELECT to_regclass('_prisma_migrations')::text AS name`
  if (table?.name == null) return new Set()
  const rows = await queryRows(sql, migrationRowSchema)`
    SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`
  return new Set(rows.map(({ name }) => name))
}

async function listMigrations(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}
