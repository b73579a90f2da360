import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import type { Config } from '#config/config.ts'
import { fillRecipients } from '#test/delivery-faults/fill-recipients.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import { useTestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const nameSchema = z.object({ name: z.string() })
const members = 5_000

async function query(url: string, sql: string, values: string[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(sql, values)
  await client.end()
  return rows
}

async function backedUpSite(count = 50) {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-restore-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { context } = await useTestApp({ working: false, listening: false })
  const { config } = context
  await fillRecipients(context.database.db, { count, appId: config.site.appId })
  const run = (...args: string[]) => runInProcess(args, config)
  expect((await run('backup', '--to', folder)).errors).toBe('')
  const { url } = config.database
  const name = new URL(url).pathname.slice(1)
  const others = async () =>
    nameSchema
      .array()
      .parse(await query(url, `SELECT datname AS name FROM pg_database WHERE datname LIKE '${name}\\_%'`))
      .map((row) => row.name)
  onTestFinished(async () => {
    for (const other of await others()) await query(url, `DROP DATABASE IF EXISTS "${other}" WITH (FORCE)`)
  })
  const countNow = async () => (await query(url, 'SELECT count(*)::int AS n FROM member'))[0]
  return { folder, config, run, url, name, others, countNow }
}

/** Starts the command as a process of its own, which a test can kill. */
function start(args: string[], { database, dataDir, secrets }: Config) {
  const program = fileURLToPath(new URL('./tidings.ts', import.meta.url))
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SITE_SECRET: secrets.siteSecret,
    },
    stdio: 'ignore',
  })
  const ended = once(child, 'close')
  return async () => {
    child.kill('SIGKILL')
    await ended
  }
}

/** The phases of a restore, as another connection sees them: its own database is NAME_restore_TIME. */
const phases = {
  'before the migrations': 'SELECT 1 FROM pg_database WHERE datname LIKE $1',
  'while rows are loaded': "SELECT 1 FROM pg_stat_activity WHERE datname LIKE $1 AND query LIKE 'COPY%'",
  'while it ends':
    "SELECT 1 FROM pg_stat_activity WHERE datname LIKE $1 AND query ~ 'ADD CONSTRAINT|setval|COMMIT|ANALYZE'",
} as const

describe('a restore that is killed', () => {
  it.each(Object.entries(phases))(
    '%s leaves the site as it was, and the next one deletes what it left',
    async (_phase, sql) => {
      const { folder, config, run, url, name, others, countNow } = await backedUpSite(members)
      await query(url, "DELETE FROM member WHERE email LIKE 'full-%'")
      const before = await countNow()
      const kill = start(['restore', folder, '--replace', '--yes'], config)
      await vi.waitFor(async () => expect(await query(url, sql, [`${name}\\_restore\\_%`])).not.toEqual([]), {
        ...waitOptions,
        interval: 5,
      })
      await kill()
      expect(await countNow()).toEqual(before)
      const [left] = await others()
      expect(left).toContain('_restore_')
      const { code, printed } = await run('restore', folder, '--replace', '--yes')
      expect([code, printed]).toEqual([0, expect.stringContaining(`Deleted the database ${left}`)])
      expect(await countNow()).toEqual({ n: members })
      expect((await others()).filter((name) => name.includes('_restore_'))).toEqual([])
    },
  )

  it('a backup that is killed leaves nothing that counts as a backup', async () => {
    const { folder, config, run } = await backedUpSite(members)
    const [first = ''] = await readdir(folder)
    await vi.waitFor(() => rm(path.join(folder, first)), waitOptions)
    const kill = start(['backup', '--to', folder], config)
    await vi.waitFor(async () => expect((await readdir(folder)).join()).toContain('.partial'), {
      ...waitOptions,
      interval: 5,
    })
    await kill()
    const { errors } = await run('restore', folder, '--replace', '--yes')
    expect(errors).toContain('has no backups')
    expect((await run('backup', '--to', folder)).printed).toContain('which an interrupted backup left')
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([])
  })
})

describe('a restore', () => {
  it('says which statement is missing to a role that may not create databases', async () => {
    const { folder, config, url, name, others } = await backedUpSite()
    const role = `plain_${name.slice(-12)}`
    await query(url, `CREATE ROLE "${role}" LOGIN PASSWORD 'plain'`)
    onTestFinished(async () => void (await query(url, `DROP OWNED BY "${role}"; DROP ROLE "${role}"`)))
    await query(url, `GRANT pg_read_all_data TO "${role}"`)
    const plain = new URL(url)
    plain.username = role
    plain.password = 'plain'
    const database = { ...config.database, url: plain.href, listenUrl: plain.href }
    const { code, errors } = await runInProcess(['restore', folder, '--replace', '--yes'], {
      ...config,
      database,
    })
    expect(code).toBe(1)
    expect(errors).toContain(`ALTER ROLE "${role}" CREATEDB; ALTER DATABASE "${name}" OWNER TO "${role}"`)
    expect(await others()).toEqual([])
  })

  it('works with a role that is no superuser, and names the connections that it may not end', async () => {
    const { folder, config, url, name, others, countNow } = await backedUpSite()
    const role = `maker_${name.slice(-12)}`
    await query(url, `CREATE ROLE "${role}" LOGIN CREATEDB PASSWORD 'maker'`)
    await query(url, `ALTER DATABASE "${name}" OWNER TO "${role}"`)
    await query(url, `GRANT pg_read_all_data, pg_write_all_data TO "${role}"`)
    const own = new URL(url)
    own.username = role
    own.password = 'maker'
    const database = { ...config.database, url: own.href, listenUrl: own.href }
    const restore = async () =>
      await runInProcess(['restore', folder, '--replace', '--yes'], { ...config, database })
    // The connections of the site in this test are those of a superuser.
    expect((await restore()).errors).toMatch(/is still used by .*api.* of the role/)
    expect(await others()).toEqual([])
    await query(
      url,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
      [name],
    )
    const connected = new pg.Client({ connectionString: own.href })
    connected.on('error', () => {})
    await connected.connect()
    const { code, errors } = await restore()
    await connected.end()
    expect([code, errors]).toEqual([0, ''])
    expect(await countNow()).toEqual({ n: 50 })
  })

  it.each([
    [
      'another SITE_SECRET',
      (config: Config) => ({ ...config, secrets: { ...config.secrets, siteSecret: 'another' } }),
      '--other-secret',
    ],
    ['without --replace', (config: Config) => config, '--replace'],
  ])('changes nothing: %s', async (_what, change, message) => {
    const { folder, config, others } = await backedUpSite()
    const { code, errors } = await runInProcess(['restore', folder, '--yes'], change(config))
    expect(code).toBeGreaterThan(0)
    expect(errors).toContain(message)
    expect(await others()).toEqual([])
  })

  it('refuses a backup of a newer version, and migrates one of an older version', async () => {
    const { folder, config, run, url, name } = await backedUpSite()
    const migrations = (await readdir(config.locations.migrations))
      .filter((each) => /^\d+_/.test(each))
      .sort()
    await query(
      url,
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ('newer', 'checksum', '20990101000000_newer', now(), 1)`,
    )
    const newer = path.join(folder, 'newer')
    expect((await run('backup', '--to', newer)).errors).toBe('')
    await query(url, "DELETE FROM _prisma_migrations WHERE id = 'newer'")
    expect((await run('restore', newer, '--replace', '--yes')).errors).toContain(
      "whose migration 20990101000000_newer this version doesn't have",
    )
    await query(url, `CREATE DATABASE "${name}_older" TEMPLATE template0`)
    const older = new URL(url)
    older.pathname = `/${name}_older`
    const program = path.join(config.locations.migrations, '../migrate.ts')
    const env = { DATABASE_URL: older.href }
    await promisify(execFile)(process.execPath, [program, migrations.at(-2) ?? ''], { env })
    const database = { ...config.database, url: older.href, listenUrl: older.href }
    const backup = await runInProcess(['backup', '--to', path.join(folder, 'older')], { ...config, database })
    expect(backup.errors).toBe('')
    expect((await run('restore', path.join(folder, 'older'), '--replace', '--yes')).errors).toBe('')
    const [applied] = await query(url, 'SELECT max(migration_name) AS name FROM _prisma_migrations')
    expect(applied).toEqual({ name: migrations.at(-1) })
  })

  it('names what the operator may have meant', async () => {
    const { folder, run } = await backedUpSite()
    const [file = ''] = await readdir(folder)
    await writeFile(path.join(folder, 'notes.txt'), 'no backup')
    await writeFile(path.join(folder, 'empty.tar'), '')
    await writeFile(
      path.join(folder, 'cut.tar'),
      (await readFile(path.join(folder, file))).subarray(0, 5_000),
    )
    const errorsOf = async (place: string) => (await run('restore', place, '--replace', '--yes')).errors
    expect(await errorsOf(path.join(folder, 'tidings.tar'))).toContain(
      `The newest ones are ${path.join(folder, file)}`,
    )
    expect(await errorsOf(path.join(folder, 'notes.txt'))).toContain('Nothing was changed.')
    expect(await errorsOf(path.join(folder, 'empty.tar'))).toContain('Nothing was changed.')
    expect(await errorsOf(path.join(folder, 'cut.tar'))).toContain('Nothing was changed.')
    expect(await errorsOf('s3://')).toContain('Name a bucket like')
    expect(await errorsOf('s3://bucket/backups')).toContain('AWS_ACCESS_KEY_ID')
  })
})
