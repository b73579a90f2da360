import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../process/free-port.ts'
import { type EmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { readPostmaster } from './postmaster.ts'

const settings = { fsync: 'off' }
const createFolder = () => mkdtemp(join(tmpdir(), 'tidings-postgres-'))

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
  let dataDir: string
  beforeEach(async () => {
    dataDir = await createFolder()
  })
  afterEach(() => removeEmbeddedPostgres(dataDir))

  test('keeps its data and port after a stop', async () => {
    const first = await startEmbeddedPostgres({ dataDir, settings })
    await query(first.url, 'create table kept as select 7 as number')
    await first.stop()
    const second = await startEmbeddedPostgres({ dataDir, settings })
    expect(await query(second.url, 'select number from kept')).toBe(7)
    expect(second.port).toBe(first.port)
    expect(second.reused).toBe(false)
  })

  test('starts one server for two concurrent calls', async () => {
    const [one, two] = await Promise.all([
      startEmbeddedPostgres({ dataDir, settings }),
      startEmbeddedPostgres({ dataDir, settings }),
    ])
    expect(one.url).toBe(two.url)
    expect(await query(one.url, 'select 1')).toBe(1)
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

describe('a running embedded server', () => {
  let dataDir: string
  let server: EmbeddedPostgres
  beforeAll(async () => {
    dataDir = await createFolder()
    server = await startEmbeddedPostgres({ dataDir, settings })
  })
  afterAll(() => removeEmbeddedPostgres(dataDir))

  test('is taken over by another start', async () => {
    const second = await startEmbeddedPostgres({ dataDir, settings })
    expect(second.reused).toBe(true)
    expect(second.url).toBe(server.url)
  })

  test('uses UTF-8, UTC and the given settings', async () => {
    expect(await query(server.url, `select current_setting('server_encoding')`)).toBe('UTF8')
    expect(await query(server.url, `select current_setting('timezone')`)).toBe('UTC')
    expect(await query(server.url, `select current_setting('fsync')`)).toBe('off')
    expect(await query(server.url, `select upper('ä')`)).toBe('Ä')
  })

  test('rejects a wrong password', async () => {
    const url = new URL(server.url)
    url.password = 'wrong'
    await expect(query(url.href, 'select 1')).rejects.toThrow('password authentication failed')
  })

  test('has a port that another server cannot take', async () => {
    const otherDir = await createFolder()
    const start = startEmbeddedPostgres({ dataDir: otherDir, port: server.port })
    await expect(start).rejects.toThrow(`Port ${server.port}`)
    await rm(otherDir, { recursive: true })
  })
})
