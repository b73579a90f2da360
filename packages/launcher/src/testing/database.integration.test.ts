import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { cloneTemplate, createTemplate, testDatabaseName, testServerUrl } from './database.ts'

const adminUrl = testServerUrl()

async function count(url: string, sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rowCount ?? 0
  } finally {
    await client.end()
  }
}

describe('cloneTemplate', () => {
  test('a clone has the tables of the migrations and no rows', async () => {
    const url = await cloneTemplate(adminUrl, testDatabaseName('launcher'))
    expect(await count(url, `select 1 from information_schema.tables where table_name = 'edition'`)).toBe(1)
    expect(await count(url, 'select 1 from edition')).toBe(0)
  })

  test('cloning again throws away what the last clone held, even while somebody is connected', async () => {
    const name = `${testDatabaseName('launcher')}_again`
    const first = await cloneTemplate(adminUrl, name)
    const holder = new pg.Client({ connectionString: first })
    holder.on('error', () => {})
    await holder.connect()
    await holder.query(`insert into rate_limit (key) values ('left over')`)
    const second = await cloneTemplate(adminUrl, name)
    expect(await count(second, 'select 1 from rate_limit')).toBe(0)
    await holder.end().catch(() => {})
  })

  test('a name that would not be a plain database name is refused', async () => {
    await expect(cloneTemplate(adminUrl, 'x"; drop database postgres')).rejects.toThrow(
      'no name for a test database',
    )
  })
})

describe('createTemplate', () => {
  test('asking for the template twice at once makes it once', async () => {
    const [first, second] = await Promise.all([createTemplate(adminUrl), createTemplate(adminUrl)])
    expect(first).toBe(second)
    expect(await count(adminUrl, `select 1 from pg_database where datname like '${first}%'`)).toBe(1)
  })
})

describe('testDatabaseName', () => {
  test('two packages never share a database', () => {
    expect(testDatabaseName('api')).not.toBe(testDatabaseName('prisma'))
  })
})
