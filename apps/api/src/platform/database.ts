import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { ServiceUnavailableError } from './errors.ts'
import type { Logger } from './logger.ts'

/** What repositories query: the client, or a transaction of it. */
export type Db = Prisma.TransactionClient

export type Database = {
  db: Db
  /** The connections beneath, for the libraries that speak plain SQL. */
  pool: pg.Pool
  /** Runs `work` in one transaction: all of it is stored, or none. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const commitHooks = new WeakMap<Db, (() => void)[]>()

/** Runs `hook` once the transaction has committed; at once when `db` is not a transaction. */
export function afterCommit(db: Db, hook: () => void): void {
  const hooks = commitHooks.get(db)
  if (hooks === undefined) hook()
  else hooks.push(hook)
}

const transactionTimeouts = { maxWait: 5_000, timeout: 15_000 }

/** Connects lazily: nothing is opened until the first query. */
export function createDatabase(options: {
  url: string
  connections: number
  logger: Logger
  applicationName: string
}): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: 20_000,
    // Past the server's own limit: a server that says nothing any more is given up too.
    query_timeout: 25_000,
  })
  // An idle connection that the server closes is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => options.logger.warn({ err: error }, 'an idle database connection was lost'))
  const client = new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: 'minimal' })
  return {
    db: client,
    pool,
    async transaction(work) {
      const hooks: (() => void)[] = []
      const result = await client.$transaction((tx) => {
        commitHooks.set(tx, hooks)
        return work(tx)
      }, transactionTimeouts)
      for (const hook of hooks) hook()
      return result
    },
    async close() {
      await client.$disconnect()
      if (!pool.ended) await pool.end()
    },
  }
}

const unavailablePrismaCodes = new Set([
  'P1000',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'P2037',
])
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
])
// SQLSTATE classes: 08 connection, 53 resources, 57P01-05 shutdown and start-up.
const unavailableSqlState = /^(08...|53...|57P0[1-5])$/
const unavailableText =
  /connection terminated|terminating connection|timeout exceeded when trying to connect|Query read timeout|starting up|shutting down|server closed the connection|client was closed|not queryable|ConnectionClosed|DatabaseNotReachable|TransactionAlreadyClosed|Unable to start a transaction|Can't reach database/i

/** Whether a failure means that Postgres is away for a moment, rather than that a query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // The socket file of a Postgres on this machine; any other missing file is no matter of the database.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return true
  if (unavailablePrismaCodes.has(code) || unavailableCodes.has(code) || unavailableSqlState.test(code)) {
    return true
  }
  if (error instanceof Prisma.PrismaClientInitializationError || unavailableText.test(error.message))
    return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  return error.cause !== undefined && isDatabaseUnavailable(error.cause)
}

/** Whether a failure is a broken unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}

/** Runs a query of one of the libraries on the pool, with its failures as this service's own. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isDatabaseUnavailable(error) ? new ServiceUnavailableError(error) : error
  }
}

/** A plain object as a JSON column takes it. */
export function toJson(value: object): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(value))
}
