import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { fail } from './errors.ts'
import { createRepeatedWarning, type Logger, reasonOf } from './logger.ts'

/** Plain SQL: the client, a transaction, or one of plain SQL only. Its rows are unknown: `queryRows` parses them. */
export type Sql = {
  $queryRaw(sql: TemplateStringsArray, ...values: unknown[]): Promise<unknown[]>
  $queryRawUnsafe(sql: string, ...values: unknown[]): Promise<unknown[]>
}

/** The client or a transaction; the first argument of every repository function. */
export type Db = Omit<Prisma.TransactionClient, keyof Sql> & Sql

export type Database = {
  db: Db
  /** Runs plain SQL in a fraction of the processor time that Prisma's client takes. */
  sql: Sql
  /** The connection pool, for libraries that use plain SQL. */
  pool: pg.Pool
  /** Commits `work`. It may take 15 seconds; if it is long, two minutes, as planning a million deliveries may. */
  transaction<T>(work: (tx: Db) => Promise<T>, options?: { isLong: boolean }): Promise<T>
  /** Commits plain SQL, for a fifth of the processor time of a transaction through Prisma's client. */
  sqlTransaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const commitHooks = new WeakMap<Sql, (() => void)[]>()

/** Runs `hook` after the transaction commits, or may have; at once when `db` is not a transaction. */
export function afterCommit(db: Sql, hook: () => void): void {
  const hooks = commitHooks.get(db)
  if (hooks === undefined) hook()
  else hooks.push(hook)
}

const maxNamedStatements = 200
const shortTransactionMs = 15_000
const longTransactionMs = 120_000

/** Creates the client and its pool; connects at the first query. */
export function createDatabase(options: {
  url: string
  connections: number
  waitSeconds: number
  logger: Logger
  applicationName: string
}): Database {
  const waitMs = options.waitSeconds * 1_000
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    application_name: options.applicationName,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: 20_000,
    // Longer than the server's own limit: it ends queries whose server stopped responding.
    query_timeout: 25_000,
  })
  // Without a listener, an idle connection closed by the server would end the process.
  const warnOfLoss = createRepeatedWarning(options.logger, 'idle database connection lost')
  pool.on('error', (error) => warnOfLoss({ reason: reasonOf(error) }))
  const nameStatement = createStatementNames()
  const adapter = new PrismaPg(pool, { statementNameGenerator: nameStatement })
  const client = new PrismaClient({ adapter, errorFormat: 'minimal' })
  return {
    db: client,
    sql: sqlOf(pool, nameStatement),
    pool,
    async transaction(work, { isLong } = { isLong: false }) {
      const hooks: (() => void)[] = []
      const run = (tx: Db) => {
        commitHooks.set(tx, hooks)
        return work(tx)
      }
      try {
        return await client.$transaction(run, {
          maxWait: waitMs,
          timeout: isLong ? longTransactionMs : shortTransactionMs,
        })
      } catch (error) {
        // Without a reply to COMMIT it may have committed, and what it withdrew must not be served.
        if (!isDatabaseUnavailable(error)) hooks.length = 0
        throw error
      } finally {
        for (const hook of hooks) hook()
      }
    },
    async sqlTransaction(work) {
      const connection = await pool.connect()
      const hooks: (() => void)[] = []
      const tx = sqlOf(connection, nameStatement)
      commitHooks.set(tx, hooks)
      try {
        await connection.query('BEGIN')
        const result = await work(tx)
        await connection.query('COMMIT')
        connection.release()
        return result
      } catch (error) {
        // Closes the connection, which rolls back.
        connection.release(true)
        if (!isDatabaseUnavailable(error)) hooks.length = 0
        throw error
      } finally {
        for (const hook of hooks) hook()
      }
    },
    async close() {
      await client.$disconnect()
      if (!pool.ended) await pool.end()
    },
  }
}

function sqlOf(
  connection: pg.Pool | pg.PoolClient,
  nameStatement: ReturnType<typeof createStatementNames>,
): Sql {
  async function run(sql: string, values: unknown[]): Promise<unknown[]> {
    return (await connection.query({ name: nameStatement({ sql }), text: sql, values })).rows
  }
  return {
    $queryRaw(strings, ...parts) {
      const { text, values } = Prisma.sql(strings, ...parts)
      return run(text, values)
    },
    $queryRawUnsafe: (sql, ...values) => run(sql, values),
  }
}

/** Names statements, so that each connection plans them once. Limits the kept plans: further names are empty. */
function createStatementNames() {
  const names = new Map<string, string>()
  return ({ sql }: { sql: string }): string => {
    if (names.size < maxNamedStatements && !names.has(sql)) names.set(sql, `statement_${names.size}`)
    return names.get(sql) ?? ''
  }
}

const unavailableCodes = new Set([
  // Prisma: unreachable, refused, timed out, closed, no connection or transaction in time, deadlock.
  ...['P1000', 'P1001', 'P1002', 'P1008', 'P1017', 'P1018', 'P2024', 'P2028', 'P2034', 'P2037'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN'],
])
// Kinds of Prisma's driver adapter; raw queries report nothing else.
const unavailableKinds = new Set([
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionAlreadyClosed',
  'TransactionWriteConflict',
])
// SQLSTATE: class 08 connection, 53 resources; 40001 and 40P01 conflicts, 57014 time-out, 57P01-05 shutdown and start-up.
const unavailableSqlState = /^(08...|53...|40001|40P01|57014|57P0[1-5])$/
const unavailableText =
  /connect ENOENT|connection terminated|terminating connection|timeout exceeded when trying to connect|query read timeout|client was closed|calling end on the pool|not queryable|unable to start a transaction/i

/** Refuses a request at once, while Postgres is known to be unavailable. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
}

/** Returns whether an error means that Postgres is unavailable, rather than that a query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientInitializationError) return true
  if (error instanceof DatabaseUnavailableError) return true
  return error instanceof Error && reasonsOf(error).some(isUnavailableReason)
}

type Reason = { code?: unknown; originalCode?: unknown; kind?: unknown; message?: unknown }

function isUnavailableReason({ code, originalCode, kind, message }: Reason): boolean {
  const codes = [code, originalCode].map(String)
  return (
    codes.some((name) => unavailableCodes.has(name) || unavailableSqlState.test(name)) ||
    unavailableKinds.has(String(kind)) ||
    unavailableText.test(String(message))
  )
}

/** Returns an error with all of its causes. */
function reasonsOf(error: unknown): Reason[] {
  if (typeof error !== 'object' || error === null) return []
  const parts: unknown[] = [
    'cause' in error ? error.cause : undefined,
    error instanceof Prisma.PrismaClientKnownRequestError ? error.meta?.driverAdapterError : undefined,
    ...(error instanceof AggregateError ? error.errors : []),
  ]
  return [error, ...parts.flatMap(reasonsOf)]
}

/** Awaits a query of a library on the pool; throws `service-unavailable` when Postgres is unavailable. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isDatabaseUnavailable(error) ? fail('service-unavailable', error) : error
  }
}

/** Converts a plain object for a JSON column. */
export function toJson(value: object): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(value))
}
