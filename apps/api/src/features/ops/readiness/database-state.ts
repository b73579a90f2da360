import { z } from 'zod'
import { type Database, isDatabaseUnavailable } from '#platform/database.ts'
import type { FailureLog } from '#platform/failure-log.ts'
import { queryRows } from '#platform/query-rows.ts'
import { createMissingMigrations } from './missing-migrations.ts'
import { TimeLimitError, withinTimeLimit } from './within-time-limit.ts'

type Available = { isReadOnly: boolean; missingMigrations: readonly string[] }

/** The result of reading the database; `isSlow` means that it may still respond. */
export type DatabaseState = Available | { failure: string; isSlow: boolean; isUnavailable: boolean }

type Deps = { database: Database; migrationsFolder: string; failureLog: FailureLog; limitMs: number }

const readOnlySchema = z.object({ isReadOnly: z.boolean() })

/** Returns a function that reads the state of the database. It never rejects. */
export function createDatabaseState({ database, migrationsFolder, failureLog, limitMs }: Deps) {
  const findMissing = createMissingMigrations(database, migrationsFolder)

  async function read(): Promise<Available> {
    const [row] = await queryRows(database.sql, readOnlySchema)`
      SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly"`
    return { isReadOnly: row?.isReadOnly ?? false, missingMigrations: await findMissing() }
  }

  const readInTime = withinTimeLimit(read, limitMs)
  return async (): Promise<DatabaseState> => {
    try {
      const state = await readInTime()
      failureLog.recovered('database')
      return state
    } catch (error) {
      const isSlow = error instanceof TimeLimitError
      const failure = describe(error, limitMs)
      const isUnavailable = isDatabaseUnavailable(error)
      failureLog.failed('database', failure, isSlow || isUnavailable ? {} : { err: error })
      return { failure, isSlow, isUnavailable }
    }
  }
}

/** Returns why a query failed, without the text of the driver, which contains addresses. */
function describe(error: unknown, limitMs: number): string {
  if (error instanceof TimeLimitError) return `The database did not reply within ${limitMs / 1000} seconds.`
  return isDatabaseUnavailable(error) ? 'The database is unavailable.' : 'A query of the database failed.'
}
