import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

const settings = { fsync: 'off' }
const words = `to_tsvector('simple', 'dam…burst “silver” 40 turbines')::text`
const separated = `'40':4 'burst':2 'dam':1 'silver':3 'turbines':5`

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tidings-postgres-'))
})
afterEach(() => removeEmbeddedPostgres(dataDir))

async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

/** Starts a server whose database is as earlier versions created it, with the LC_CTYPE `C`. */
async function startOld(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, settings })
  await query(server.adminUrl, 'drop database tidings')
  await query(server.adminUrl, `create database tidings template template0 lc_ctype 'C'`)
  await query(server.url, `create table kept as select 7 as number, 'Å' as text`)
  await query(server.url, 'create index kept_text on kept (text, lower(text))')
  expect(await query(server.url, `select ${words}`)).not.toBe(separated)
  return server
}

test('a new database separates words at every sign', async () => {
  const { url } = await startEmbeddedPostgres({ dataDir, settings })
  expect(await query(url, `select ${words}`)).toBe(separated)
})

test('a database of an earlier version separates words after the next start, with its rows', async () => {
  await (await startOld()).stop()
  const lines: string[] = []
  const { url } = await startEmbeddedPostgres({ dataDir, settings, onProgress: (line) => lines.push(line) })
  expect(await query(url, `select ${words}`)).toBe(separated)
  expect(await query(url, `select number from kept where lower(text) = 'å'`)).toBe(7)
  expect(lines).toContain('Preparing the database for words in every language')
  await query(url, 'create extension amcheck')
  await query(url, `select bt_index_check('kept_text', true)`)
})

test('a database in use keeps its LC_CTYPE until a start without other sessions', async () => {
  const old = await startOld()
  const session = new pg.Client({ connectionString: old.url })
  await session.connect()
  const { url } = await startEmbeddedPostgres({ dataDir, settings })
  expect(await query(url, `select ${words}`)).not.toBe(separated)
  await session.end()
  // A session ends a moment after its client.
  await expect
    .poll(() => query(old.adminUrl, `select count(*)::int from pg_stat_activity where datname = 'tidings'`))
    .toBe(0)
  await startEmbeddedPostgres({ dataDir, settings })
  expect(await query(url, `select ${words}`)).toBe(separated)
})
