import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabaseName, testServerUrl } from '@tidings/launcher/test-database'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from './migrate.ts'

const name = testDatabaseName('prisma_migrate')
const adminUrl = testServerUrl()
const databaseUrl = new URL(`/${name}`, adminUrl).href

let migrationsDir: string

beforeEach(async () => {
  await run(adminUrl, `drop database if exists ${name} with (force)`)
  await run(adminUrl, `create database ${name}`)
  migrationsDir = await mkdtemp(join(tmpdir(), 'tidings-migrations-'))
  await writeFile(join(migrationsDir, 'migration_lock.toml'), 'provider = "postgresql"\n')
})

afterEach(() => rm(migrationsDir, { recursive: true }))

async function run(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}

async function addMigration(folder: string, sql: string) {
  await mkdir(join(migrationsDir, folder), { recursive: true })
  await writeFile(join(migrationsDir, folder, 'migration.sql'), sql)
}

async function linesOf(options: Parameters<typeof migrate>[0]) {
  const lines: string[] = []
  await migrate({ ...options, onProgress: (line) => lines.push(line) })
  return lines
}

/** The project's own, in their order. */
const ours = (await readdir(join(import.meta.dirname, 'migrations')))
  .filter((name) => /^\d/.test(name))
  .toSorted()

describe('migrate', () => {
  test('the first run names each migration, the second finds nothing to do', async () => {
    expect(await linesOf({ databaseUrl })).toEqual([
      ...ours.map((name) => `Applied ${name}`),
      'Database is up to date',
    ])
    expect(await linesOf({ databaseUrl })).toEqual(['Database is up to date'])
  })

  test('two runs at once both succeed, and each migration is applied once', async () => {
    const runs = await Promise.all([linesOf({ databaseUrl }), linesOf({ databaseUrl })])
    expect(runs.flat().filter((line) => line.startsWith('Applied'))).toHaveLength(ours.length)
    expect((await run(databaseUrl, 'select 1 from _prisma_migrations')).rowCount).toBe(ours.length)
  })

  test('a migration that was changed after it was applied is named', async () => {
    await addMigration('1_first', 'create table a (id int)')
    await migrate({ databaseUrl, migrationsDir })
    await addMigration('1_first', 'create table a (id bigint)')
    await expect(migrate({ databaseUrl, migrationsDir })).rejects.toThrow('changed since: 1_first')
  })

  test('a migration that fails says what the database said, and later runs refuse to go on', async () => {
    await addMigration('1_broken', 'create table a (id no_such_type)')
    await expect(migrate({ databaseUrl, migrationsDir })).rejects.toThrow('no_such_type')
    await expect(migrate({ databaseUrl, migrationsDir })).rejects.toThrow('failed half way: 1_broken')
  })

  test('a database that is ahead of the files is left alone', async () => {
    await addMigration('1_first', 'create table a (id int)')
    await addMigration('2_second', 'create table b (id int)')
    await migrate({ databaseUrl, migrationsDir })
    await rm(join(migrationsDir, '2_second'), { recursive: true })
    expect(await linesOf({ databaseUrl, migrationsDir })).toEqual([
      'The database is ahead of this checkout by 2_second',
      'Database is up to date',
    ])
  })

  test('a database that nothing answers for is named without its password', async () => {
    const failure = await migrate({ databaseUrl: 'postgresql://u:secret@127.0.0.1:9/x' }).catch(String)
    expect(failure).toContain('Nothing answers at 127.0.0.1:9')
    expect(failure).not.toContain('secret')
  })

  test('a database that does not exist is named', async () => {
    const missing = new URL('/no_such_database', adminUrl).href
    await expect(migrate({ databaseUrl: missing })).rejects.toThrow(`no database 'no_such_database'`)
  })
})
