import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createCapturedLog } from '#test/captured-log.ts'
import { createTestDatabase } from '#test/test-database.ts'
import {
  afterCommit,
  createDatabase,
  type Database,
  type Db,
  isDatabaseUnavailable,
  type Sql,
} from './database.ts'
import { queryRows } from './query-rows.ts'

let url: string

beforeAll(async () => {
  url = await createTestDatabase()
})

function open(address = url): Database {
  const { logger } = createCapturedLog()
  const database = createDatabase({
    url: address,
    connections: 3,
    waitSeconds: 60,
    logger,
    applicationName: 'under test',
  })
  onTestFinished(() => database.close())
  return database
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => {
      throw new Error('It should have failed')
    },
    (error: unknown) => error,
  )
}

function addContact(db: Db, value: string) {
  return db.readerContact.create({ data: { kind: 'email', value } })
}

/** Terminates the connection during a query, as an administrator or a shutdown does. */
async function endMidQuery(database: Database, sleep: () => Promise<unknown>): Promise<unknown> {
  const failure = failureOf(sleep())
  const other = open()
  let ended = 0
  while (ended === 0) {
    const { rowCount } = await other.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'under test' AND pid <> pg_backend_pid() AND wait_event = 'PgSleep'`,
    )
    ended = rowCount ?? 0
  }
  expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  return await failure
}

describe('transaction', () => {
  it('commits everything or nothing', async () => {
    const database = open()

    const failure = await failureOf(
      database.transaction(async (tx) => {
        await addContact(tx, 'rolled-back@example.com')
        throw new Error('changed my mind')
      }),
    )

    expect(failure).toMatchObject({ message: 'changed my mind' })
    expect(await database.db.readerContact.count({ where: { value: 'rolled-back@example.com' } })).toBe(0)
  })

  it('of plain SQL commits everything or nothing', async () => {
    const database = open()
    const add = (tx: Sql, value: string) =>
      tx.$queryRaw`INSERT INTO reader_contact (kind, value) VALUES ('email', ${value})`

    await database.sqlTransaction((tx) => add(tx, 'committed@example.com'))
    const failure = await failureOf(
      database.sqlTransaction(async (tx) => {
        await add(tx, 'undone@example.com')
        throw new Error('changed my mind')
      }),
    )

    expect(failure).toMatchObject({ message: 'changed my mind' })
    const values = { in: ['committed@example.com', 'undone@example.com'] }
    const rows = await database.db.readerContact.findMany({ where: { value: values } })
    expect(rows.map(({ value }) => value)).toEqual(['committed@example.com'])
  })

  it('runs afterCommit callbacks only after a commit', async () => {
    const database = open()
    const seen: string[] = []
    await database.transaction(async (tx) => {
      afterCommit(tx, () => void seen.push('after the commit'))
      seen.push('inside')
    })
    await failureOf(
      database.transaction(async (tx) => {
        afterCommit(tx, () => void seen.push('never'))
        throw new Error('no')
      }),
    )
    afterCommit(database.db, () => void seen.push('at once, outside'))

    expect(seen).toEqual(['inside', 'after the commit', 'at once, outside'])
  })
})

describe('isDatabaseUnavailable', () => {
  // No server listens on port 1.
  const nowhere = 'postgresql://nobody:x@127.0.0.1:1/none'

  it.each<[string, (database: Database) => Promise<unknown>]>([
    ['a query', ({ db }) => db.edition.findMany()],
    ['a raw query', ({ db }) => db.$queryRaw`SELECT 1`],
    ['a raw statement', ({ db }) => db.$executeRaw`SELECT 1`],
    ['a transaction', ({ transaction }) => transaction((tx) => tx.edition.findMany())],
    ['plain SQL', ({ sql }) => sql.$queryRaw`SELECT 1`],
    ['a query of the pool', ({ pool }) => pool.query('SELECT 1')],
  ])('recognizes the error of %s', async (_what, query) => {
    expect(isDatabaseUnavailable(await failureOf(query(open(nowhere))))).toBe(true)
  })

  it.each<[string, (database: Database) => Promise<unknown>]>([
    ['a raw query', ({ db }) => db.$queryRaw`SELECT pg_sleep(60)::text`],
    [
      'a raw query in a transaction',
      ({ transaction }) => transaction((tx) => tx.$queryRaw`SELECT pg_sleep(60)::text`),
    ],
    ['plain SQL', ({ sql }) => sql.$queryRaw`SELECT pg_sleep(60)::text`],
    ['a query of the pool', ({ pool }) => pool.query('SELECT pg_sleep(60)')],
  ])('recognizes a connection that ends during %s, and the next query works', async (_what, sleep) => {
    const database = open()

    expect(isDatabaseUnavailable(await endMidQuery(database, () => sleep(database)))).toBe(true)
  })

  it('recognizes a connection that ends during an idle transaction, and the next query works', async () => {
    const database = open()

    const failure = await failureOf(
      database.transaction(async (tx) => {
        const [row] = await queryRows(tx, z.object({ pid: z.int() }))`SELECT pg_backend_pid() AS pid`
        await database.pool.query('SELECT pg_terminate_backend($1)', [row?.pid])
        await tx.edition.findMany()
      }),
    )

    expect(isDatabaseUnavailable(failure)).toBe(true)
    expect(await database.db.edition.findMany()).toEqual([])
  })

  it('recognizes a statement timeout', async () => {
    const database = open()

    const failure = await failureOf(
      database.transaction(async (tx) => {
        await tx.$executeRaw`SET LOCAL statement_timeout = 20`
        await tx.$queryRaw`SELECT pg_sleep(60)::text`
      }),
    )

    expect(isDatabaseUnavailable(failure)).toBe(true)
  })

  it('recognizes a deadlock', async () => {
    const database = open()
    const [one, other] = await Promise.all([
      addContact(database.db, 'one@example.com'),
      addContact(database.db, 'other@example.com'),
    ])
    const locked: Promise<void>[] = []
    const lockBoth = (first: string, second: string) => {
      let release = () => {}
      locked.push(
        new Promise((resolve) => {
          release = resolve
        }),
      )
      return database.transaction(async (tx) => {
        await tx.$executeRaw`SET LOCAL deadlock_timeout = 20`
        await tx.$queryRaw`SELECT 1 FROM reader_contact WHERE id = ${first}::uuid FOR UPDATE`
        release()
        await Promise.all(locked)
        await tx.$queryRaw`SELECT 1 FROM reader_contact WHERE id = ${second}::uuid FOR UPDATE`
      })
    }

    const results = await Promise.allSettled([lockBoth(one.id, other.id), lockBoth(other.id, one.id)])

    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(failures).toHaveLength(1)
    expect(failures.every(isDatabaseUnavailable)).toBe(true)
  })

  it.each<[string, (database: Database) => Promise<unknown>]>([
    ['an invalid raw query', ({ db }) => db.$queryRaw`SELECT nothing FROM nowhere`],
    [
      'a missing row',
      ({ db }) => db.edition.findUniqueOrThrow({ where: { id: '0193a000-0000-7000-8000-000000000000' } }),
    ],
    [
      'a violated constraint',
      ({ db }) =>
        db.edition.create({
          data: { date: new Date('2026-11-20'), slot: '?', publishAt: new Date('2026-11-20') },
        }),
    ],
    [
      'a duplicate value',
      async ({ db }) => [await addContact(db, 'a@example.com'), await addContact(db, 'a@example.com')],
    ],
    ["the callback's own error", ({ transaction }) => transaction(() => Promise.reject(new Error('mine')))],
  ])('ignores %s', async (_what, query) => {
    expect(isDatabaseUnavailable(await failureOf(query(open())))).toBe(false)
  })
})
