import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { Prisma } from '#generated/prisma/client.ts'
import { createCapturedLog } from '#test/captured-log.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { createDatabase, type Database, type Sql } from './database.ts'
import { queryRows } from './query-rows.ts'

let url: string

beforeAll(async () => {
  url = await createTestDatabase()
})

function open(): Database {
  const { logger } = createCapturedLog()
  const database = createDatabase({
    url,
    connections: 1,
    waitSeconds: 60,
    logger,
    applicationName: 'rows under test',
  })
  onTestFinished(() => database.close())
  return database
}

const rowSchema = z.object({
  name: z.string(),
  size: z.int(),
  at: z.date(),
  absent: z.string().nullable(),
  tags: z.array(z.string()),
  fields: z.object({ deep: z.boolean() }),
})

describe.each([
  ["Prisma's client", ({ db }: Database): Sql => db],
  ['plain SQL', ({ sql }: Database): Sql => sql],
])('queryRows through %s', (_, of) => {
  it('returns the parsed columns of each row, and no others', async () => {
    const rows = await queryRows(of(open()), rowSchema)`
      SELECT name, 2 AS size, timestamptz '2026-11-20 10:00Z' AS at, NULL::text AS absent, ARRAY['a', 'b'] AS tags,
        '{"deep": true}'::jsonb AS fields, 'secret' AS other
      FROM unnest(${['one', 'two']}::text[]) AS name`
    const shared = {
      size: 2,
      at: new Date('2026-11-20T10:00:00Z'),
      absent: null,
      tags: ['a', 'b'],
      fields: { deep: true },
    }
    expect(rows).toEqual([
      { name: 'one', ...shared },
      { name: 'two', ...shared },
    ])
  })

  it.each([
    ['a missing column', 'SELECT 1 AS other'],
    ['a null', 'SELECT NULL::int AS size'],
    ['another type', 'SELECT count(*) AS size'],
  ])('rejects %s and names the column', async (_case, sql) => {
    const query = queryRows(of(open()), z.object({ size: z.int() }))`${Prisma.raw(sql)}`
    await expect(query).rejects.toMatchObject({
      message: 'A row of a query does not match its schema.',
      cause: { issues: [{ path: ['size'], code: 'invalid_type' }] },
    })
  })
})

it('is the only way to typed rows', async () => {
  const { db, sql } = open()
  // @ts-expect-error: a type argument would assert the rows.
  const rows = await db.$queryRaw<{ one: number }[]>`SELECT 1 AS one`
  // @ts-expect-error: so would the type of the variable.
  const others: { one: number }[] = await sql.$queryRaw`SELECT 1 AS one`
  expect([rows, others]).toEqual([[{ one: 1 }], [{ one: 1 }]])
})
