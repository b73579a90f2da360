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

async function ask(url: string, sql: string): Promise<unknown> {
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
  test('data and port survive a stop', async () => {
    const first = await startEmbeddedPostgres({ dataDir, settings })
    await ask(first.url, 'create table kept as select 7 as number')
    await first.stop()
    const second = await startEmbeddedPostgres({ dataDir, settings })
    expect(await ask(second.url, 'select number from kept')).toBe(7)
    expect(second.port).toBe(first.port)
    expect(second.reused).toBe(false)
  })

  test('a server that is running already is taken over', async () => {
    const first = await startEmbeddedPostgres({ dataDir, settings })
    const second = await startEmbeddedPostgres({ dataDir, settings })
    expect(second.reused).toBe(true)
    expect(second.url).toBe(first.url)
  })

  test('two first starts at once end up with one server', async () => {
    const [one, two] = await Promise.all([
      startEmbeddedPostgres({ dataDir, settings }),
      startEmbeddedPostgres({ dataDir, settings }),
    ])
    expect(one.url).toBe(two.url)
    expect(await ask(one.url, 'select 1')).toBe(1)
  })

  test('it speaks UTF-8 and UTC, and takes settings', async () => {
    const server = await startEmbeddedPostgres({ dataDir, settings })
    expect(await ask(server.url, `select current_setting('server_encoding')`)).toBe('UTF8')
    expect(await ask(server.url, `select current_setting('timezone')`)).toBe('UTC')
    expect(await ask(server.url, `select current_setting('fsync')`)).toBe('off')
    expect(await ask(server.url, `select upper('ä')`)).toBe('Ä')
  })

  test('nobody gets in without the password', async () => {
    const server = await startEmbeddedPostgres({ dataDir, settings })
    const url = new URL(server.url)
    url.password = 'wrong'
    await expect(ask(url.href, 'select 1')).rejects.toThrow('password authentication failed')
  })

  test('a fixed port that is taken is named', async () => {
    const other = await startEmbeddedPostgres({ dataDir, settings })
    const dir = await mkdtemp(join(tmpdir(), 'tidings-postgres-'))
    await expect(startEmbeddedPostgres({ dataDir: dir, port: other.port })).rejects.toThrow(
      `Port ${other.port}`,
    )
    await rm(dir, { recursive: true })
  })

  test('a server that was killed is started again on the same data', async () => {
    const first = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'on' } })
    await ask(first.url, 'create table kept as select 7 as number')
    const postmaster = await readPostmaster(dirname(first.logFile))
    process.kill(postmaster?.pid ?? 0, 'SIGKILL')
    await expect.poll(() => first.isRunning()).toBe(false)
    const second = await startEmbeddedPostgres({ dataDir, settings })
    expect(second.reused).toBe(false)
    expect(await ask(second.url, 'select number from kept')).toBe(7)
  })

  test('a pid file that names some other program does not keep it from starting', async () => {
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
    expect(await ask(second.url, 'select 1')).toBe(1)
  })
})
