import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../process/free-port.ts'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { readPostmaster } from './postmaster.ts'

let dataDir: string
const settings = { fsync: 'off' }

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

describe('startEmbeddedPostgres', () => {
  test('keeps its data and port after a stop', async () => {
    const first = await startEmbeddedPostgres({ dataDir, settings })
    await query(first.url, 'create table kept as select 7 as number')
    await first.stop()
    const second = await startEmbeddedPostgres({ dataDir, settings })
    expect(await query(second.url, 'select number from kept')).toBe(7)
    expect(second.port).toBe(first.port)
    expect(second.reused).toBe(false)
  })

  test('takes over a server that is already running', async () => {
    const first = await startEmbeddedPostgres({ dataDir, settings })
    const second = await startEmbeddedPostgres({ dataDir, settings })
    expect(second.reused).toBe(true)
    expect(second.url).toBe(first.url)
  })

  test('starts one server for two concurrent calls', async () => {
    const [one, two] = await Promise.all([
      startEmbeddedPostgres({ dataDir, settings }),
      startEmbeddedPostgres({ dataDir, settings }),
    ])
    expect(one.url).toBe(two.url)
    expect(await query(one.url, 'select 1')).toBe(1)
  })

  test('uses UTF-8, UTC and the given settings', async () => {
    const server = await startEmbeddedPostgres({ dataDir, settings })
    expect(await query(server.url, `select current_setting('server_encoding')`)).toBe('UTF8')
    expect(await query(server.url, `select current_setting('timezone')`)).toBe('UTC')
    expect(await query(server.url, `select current_setting('fsync')`)).toBe('off')
    expect(await query(server.url, `select upper('ä')`)).toBe('Ä')
  })

  test('rejects a wrong password', async () => {
    const server = await startEmbeddedPostgres({ dataDir, settings })
    const url = new URL(server.url)
    url.password = 'wrong'
    await expect(query(url.href, 'select 1')).rejects.toThrow('password authentication failed')
  })

  test('names a fixed port that is taken', async () => {
    const other = await startEmbeddedPostgres({ dataDir, settings })
    const dir = await mkdtemp(join(tmpdir(), 'tidings-postgres-'))
    await expect(startEmbeddedPostgres({ dataDir: dir, port: other.port })).rejects.toThrow(
      `Port ${other.port}`,
    )
    await rm(dir, { recursive: true })
  })

  test('starts again on the data of a killed server', async () => {
    const first = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'on' } })
    await query(first.url, 'create table kept as select 7 as number')
    const postmaster = await readPostmaster(dirname(first.logFile))
    process.kill(postmaster?.pid ?? 0, 'SIGKILL')
    await expect.poll(() => first.isRunning()).toBe(false)
    const second = await startEmbeddedPostgres({ dataDir, settings })
    expect(second.reused).toBe(false)
    expect(await query(second.url, 'select number from kept')).toBe(7)
  })

  test('ignores a pid file with the id of another program', async () => {
    const first = await startEmbeddedPostgres({ dataDir, settings })
    const cluster = dirname(first.logFile)
    const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
    await first.stop()
    const port = String(await freePort())
    await writeFile(
      join(cluster, 'postmaster.pid'),
      [String(process.ppid), cluster, lines[2], port, ...lines.slice(4)].join('\n'),
    )
    const second = await startEmbeddedPostgres({ dataDir, settings })
    expect(await query(second.url, 'select 1')).toBe(1)
  })
})
