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
  test('creates a database with all tables and no rows', async () => {
    const url = await cloneTemplate(adminUrl, testDatabaseName('launcher'))
    expect(await count(url, `select 1 from information_schema.tables where table_name = 'edition'`)).toBe(1)
    expect(await count(url, 'select 1 from edition')).toBe(0)
  })

  test('replaces an earlier clone, even while a client is connected to it', async () => {
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

  test('rejects an invalid database name', async () => {
    await expect(cloneTemplate(adminUrl, 'x"; drop database postgres')).rejects.toThrow(
      'not a valid name for a test database',
    )
  })
})

describe('createTemplate', () => {
  test('creates the template once for two concurrent calls', async () => {
    const [first, second] = await Promise.all([createTemplate(adminUrl), createTemplate(adminUrl)])
    expect(first).toBe(second)
    expect(await count(adminUrl, `select 1 from pg_database where datname like '${first}%'`)).toBe(1)
  })
})

describe('testDatabaseName', () => {
  test('returns different names for two packages', () => {
    expect(testDatabaseName('api')).not.toBe(testDatabaseName('prisma'))
  })
})
