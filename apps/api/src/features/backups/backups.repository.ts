import { z } from 'zod'
import type { Sql } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

const rowSchema = z.object({ lastAt: z.date().nullable(), siteSince: z.date().nullable() })

/** Returns when the last backup was finished, null without one, and since when the site has existed. */
export async function readBackups(sql: Sql): Promise<{ lastAt: Date | null; siteSince: Date | null }> {
  const [row] = await queryRows(sql, rowSchema)`
    SELECT (SELECT max(finished_at) FROM backup_record) AS "lastAt",
      (SELECT min(finished_at) FROM _prisma_migrations) AS "siteSince"`
  return row ?? { lastAt: null, siteSince: null }
}
