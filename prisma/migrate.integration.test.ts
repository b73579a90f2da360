import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabaseName, testServerUrl } from '@tidings/launcher/test-database'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
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

async function connect(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function run(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
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

const ours = (await readdir(join(import.meta.dirname, 'migrations')))
  .filter((folder) => /^\d/.test(folder))
  .toSorted()

describe('migrate', () => {
  test('applies every migration once and then finds nothing to do', async () => {
    expect(await linesOf({ databaseUrl })).toEqual(ours.map((folder) => `Applied ${folder}`))
    expect(await linesOf({ databaseUrl })).toEqual([])
  })

  test('applies each migration once when two processes run at the same time', async () => {
    const lines = (await Promise.all([linesOf({ databaseUrl }), linesOf({ databaseUrl })])).flat()
    expect(lines.filter((line) => line.startsWith('Applied'))).toHaveLength(ours.length)
    expect(await run(databaseUrl, 'select 1 from _prisma_migrations')).toHaveLength(ours.length)
  })

  test('refuses a database that can not store every text, before it changes anything', async () => {
    await run(adminUrl, `drop database ${name}`)
    await run(adminUrl, `create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
    await expect(migrate({ databaseUrl })).rejects.toThrow(/the encoding UTF8; this one has SQL_ASCII/)
    expect(await run(databaseUrl, `select to_regclass('_prisma_migrations') as found`)).toEqual([
      { found: null },
    ])
  })

  test.each([
    ['C', 1],
    ['C.UTF-8', 0],
  ])(
    'warns of a database that joins words at typographic signs, for the LC_CTYPE %s',
    async (ctype, count) => {
      await run(adminUrl, `drop database ${name}`)
      await run(adminUrl, `create database ${name} lc_ctype '${ctype}' template template0`)
      const warnings = (await linesOf({ databaseUrl })).filter((line) => line.startsWith('Warning'))
      expect(warnings).toHaveLength(count)
      for (const warning of warnings)
        expect(warning).toMatch(/LC_CTYPE 'C.UTF-8'.* template0.*search reindex/i)
    },
  )

  test("records a migration in Prisma's own table, with its checksum", async () => {
    await addMigration('1_first', 'create table a (id int);\n')
    await migrate({ databaseUrl, migrationsDir })
    expect(await run(databaseUrl, 'select * from _prisma_migrations')).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        checksum: '519a1e8e560bfe843fff05a0e39aa2ec638878f09a8897cd41d6801a7f543995',
        finished_at: expect.any(Date),
        migration_name: '1_first',
        logs: null,
        rolled_back_at: null,
        started_at: expect.any(Date),
        applied_steps_count: 1,
      },
    ])
  })

  test('applies a function body and several statements as one script', async () => {
    await addMigration(
      '1_function',
      `create function f() returns int language plpgsql as $$ begin perform 1; return 2; end $$;
       create table a as select f() as number;`,
    )
    await migrate({ databaseUrl, migrationsDir })
    expect(await run(databaseUrl, 'select number from a')).toEqual([{ number: 2 }])
  })

  test('applies a statement that cannot run inside a transaction', async () => {
    await addMigration('1_table', 'create table a (id int)')
    await addMigration('2_index', 'create index concurrently a_id on a (id)')
    await migrate({ databaseUrl, migrationsDir })
    const finished = 'select 1 from _prisma_migrations where finished_at is not null'
    expect(await run(databaseUrl, finished)).toHaveLength(2)
  })

  test('rolls a failing migration back, so that the corrected one can be applied', async () => {
    await addMigration('1_broken', 'create table a (id int); create table b (id no_such_type)')
    await expect(migrate({ databaseUrl, migrationsDir })).rejects.toThrow(/1_broken failed.*no_such_type/)
    await addMigration('1_broken', 'create table a (id int)')
    expect(await linesOf({ databaseUrl, migrationsDir })).toEqual(['Applied 1_broken'])
  })

  test('starts a migration again after its connection was lost half way', async () => {
    const observer = await connect(databaseUrl)
    await observer.query('select pg_advisory_lock(1)')
    await addMigration('1_slow', 'create table a (id int); select pg_advisory_xact_lock(1)')
    const lost = expect(migrate({ databaseUrl, migrationsDir })).rejects.toThrow('1_slow failed')
    // Tests of other packages use the same server and wait for locks of their databases.
    const terminate = `select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and not granted and datname = current_database()`
    await expect.poll(async () => (await observer.query(terminate)).rowCount).toBe(1)
    await lost
    await observer.query('select pg_advisory_unlock(1)')
    expect(await linesOf({ databaseUrl, migrationsDir })).toEqual(['Applied 1_slow'])
  })

  test('refuses a database with a migration that never finished', async () => {
    await addMigration('1_first', 'create table a (id int)')
    await migrate({ databaseUrl, migrationsDir })
    await run(databaseUrl, 'update _prisma_migrations set finished_at = null')
    await expect(migrate({ databaseUrl, migrationsDir })).rejects.toThrow('1_first was started')
    await run(databaseUrl, 'update _prisma_migrations set rolled_back_at = now(); drop table a')
    expect(await linesOf({ databaseUrl, migrationsDir })).toEqual(['Applied 1_first'])
  })

  test('refuses a database whose applied migration has changed since', async () => {
    await addMigration('1_first', 'create table a (id int)')
    await migrate({ databaseUrl, migrationsDir })
    await addMigration('1_first', 'create table a (id bigint)')
    await expect(migrate({ databaseUrl, migrationsDir })).rejects.toThrow(
      /earlier version of Tidings .* migration 1_first isn't part .* begin anew/,
    )
  })

  test('refuses a database from before the baseline, and leaves it as it is', async () => {
    await addMigration('20261120000000_ground_floor', 'create table edition (id int)')
    await addMigration('20261121000000_membership', 'create table member (id int)')
    await migrate({ databaseUrl, migrationsDir })
    await expect(migrate({ databaseUrl })).rejects.toThrow(
      "This database is from an earlier version of Tidings and can't be updated, because its migration " +
        "20261120000000_ground_floor isn't part of this version: begin anew by deleting the data folder (.data), with " +
        "'docker compose down --volumes', or by setting DATABASE_URL to an empty database.",
    )
    const tables = 'select tablename as name from pg_tables where schemaname = current_schema() order by 1'
    expect(await run(databaseUrl, tables)).toEqual(
      ['_prisma_migrations', 'edition', 'member'].map((name) => ({ name })),
    )
  })

  test('refuses a database with tables of another program', async () => {
    await run(databaseUrl, 'create table foreign_table (id int)')
    await expect(migrate({ databaseUrl })).rejects.toThrow('tables of another program')
  })

  test('accepts a database that a newer version has already migrated', async () => {
    await addMigration('1_first', 'create table a (id int)')
    await addMigration('2_second', 'create table b (id int)')
    await migrate({ databaseUrl, migrationsDir })
    await rm(join(migrationsDir, '2_second'), { recursive: true })
    expect(await linesOf({ databaseUrl, migrationsDir })).toEqual([
      'The database is ahead of this version by 2_second',
    ])
  })

  test('accepts line endings of Windows in a migration that was applied without them', async () => {
    await addMigration('1_first', 'create table a\n(id int)\n')
    await migrate({ databaseUrl, migrationsDir })
    await addMigration('1_first', 'create table a\r\n(id int)\r\n')
    expect(await linesOf({ databaseUrl, migrationsDir })).toEqual([])
  })

  test('names a server that is not running, without the password', async () => {
    const failure = await migrate({ databaseUrl: 'postgresql://u:secret@127.0.0.1:9/x' }).catch(String)
    expect(failure).toContain('No database is running at 127.0.0.1:9')
    expect(failure).not.toContain('secret')
  })

  test('names a database that does not exist', async () => {
    const missing = new URL('/no_such_database', adminUrl).href
    await expect(migrate({ databaseUrl: missing })).rejects.toThrow(`no database 'no_such_database'`)
  })
})
