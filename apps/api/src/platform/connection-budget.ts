import { z } from 'zod'
import type { Sql } from './database.ts'
import type { Logger } from './logger.ts'
import { queryRows } from './query-rows.ts'

/** How many connections a process may have beside its pool: the job queue's five and the sender of notifications. */
export const connectionsBesidePool = 6

const budgetSchema = z.object({ usable: z.int(), processes: z.int(), others: z.int() })

/** The connections that the server has for us, our processes on it, and the connections of everything else. */
export type ConnectionBudget = z.infer<typeof budgetSchema>

/** Names a process in `pg_stat_activity`. Its connections share the name, so that processes can be counted. */
export function applicationNameOf(processName: string, id: string): string {
  return `tidings ${processName} ${id.slice(-6)}`
}

/** Reads what the database server has. All databases of a server share its connections. */
export async function readConnectionBudget(sql: Sql): Promise<ConnectionBudget> {
  const [budget] = await queryRows(sql, budgetSchema)`
    WITH client AS (
      SELECT substring(application_name FROM '^tidings [a-z]+ [0-9a-f]{6}') AS process
      FROM pg_stat_activity WHERE backend_type = 'client backend'
    )
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - current_setting('reserved_connections')::int AS usable,
      (SELECT count(DISTINCT process)::int FROM client) AS processes,
      (SELECT count(*)::int FROM client WHERE process IS NULL) AS others`
  if (budget === undefined) throw new Error('The connections have no row.')
  return budget
}

/** Returns how many connections there may be at most, if every process is as this one. */
export function mostConnections({ processes, others }: ConnectionBudget, perProcess: number): number {
  return processes * perProcess + others
}

/** Warns at the start if the processes that run may together need more connections than the server has. */
export async function warnOfConnections(
  { sql, logger }: { sql: Sql; logger: Logger },
  perProcess: number,
): Promise<void> {
  const budget = await readConnectionBudget(sql)
  const needed = mostConnections(budget, perProcess)
  if (needed <= budget.usable) return
  const { processes, usable } = budget
  const reason = 'Raise max_connections, lower DATABASE_CONNECTIONS, or run fewer processes.'
  logger.warn({ processes, perProcess, needed, usable, reason }, 'database connections may run out')
}
