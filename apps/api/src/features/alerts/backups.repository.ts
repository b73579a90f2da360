import { z } from 'zod'
import type { Sql } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

const stateSchema = z.object({ hasTable: z.boolean(), siteSince: z.date().nullable() })
const lastSchema = z.object({ lastAt: z.date().nullable() })

/** Returns when the last backup was finished, null without one, and since when the site has existed. */
export async function readBackups(sql: Sql): Promise<{ lastAt: Date | null; siteSince: Date | null }> {
  const [state] = await queryRows(sql, stateSchema)`
    SELECT to_regclass('backup_record') IS NOT NULL AS "hasTable",
      (SELECT min(finished_at) FROM _prisma_migrations) AS "siteSince"`
  const siteSince = state?.siteSince ?? null
  if (state?.hasTable !== true) return { lastAt: null, siteSince }
  const [last] = await queryRows(sql, lastSchema)`SELECT max(finished_at) AS "lastAt" FROM backup_record`
  return { lastAt: last?.lastAt ?? null, siteSince }
}
