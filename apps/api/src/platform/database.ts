import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { fail } from './errors.ts'
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

const unavailableCodes = new Set([
  // Prisma's own: not reachable, refused, timed out, closed, no connection or transaction in time, a deadlock.
  ...['P1000', 'P1001', 'P1002', 'P1008', 'P1017', 'P1018', 'P2024', 'P2028', 'P2034', 'P2037'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN'],
])
// What Prisma's driver adapter calls them; under a raw query this is all that says what happened.
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
  /connect ENOENT|connection terminated|terminating connection|timeout exceeded when trying to connect|query read timeout|client was closed|not queryable|unable to start a transaction/i

/** Whether a failure means that Postgres is away for a moment, rather than that a query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientInitializationError) return true
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

/** The failure and whatever it says was behind it. */
function reasonsOf(error: unknown): Reason[] {
  if (typeof error !== 'object' || error === null) return []
  const parts: unknown[] = [
    'cause' in error ? error.cause : undefined,
    error instanceof Prisma.PrismaClientKnownRequestError ? error.meta?.driverAdapterError : undefined,
    ...(error instanceof AggregateError ? error.errors : []),
  ]
  return [error, ...parts.flatMap(reasonsOf)]
}

/** Runs a query of one of the libraries on the pool, with its failures as this service's own. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isDatabaseUnavailable(error) ? fail('service-unavailable', error) : error
  }
}

/** A plain object as a JSON column takes it. */
export function toJson(value: object): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(value))
}
