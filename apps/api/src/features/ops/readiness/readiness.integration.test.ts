import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { siteTest } from '#test/fixtures.ts'
import { metricValues } from '#test/metric-values.ts'
import { type TestApp, useTestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const it = siteTest()
const names = ['process', 'database', 'migrations', 'database-writes', 'notifications', 'media-folder']

/** Starts a site whose log the test reads. */
async function useLoggedApp(env: Record<string, string> = {}) {
  const log = createCapturedLog()
  return { ...(await useTestApp({ env, overrides: { logger: log.logger } })), log }
}

/** Returns the status, what `/readyz` calls it, and the reasons by the names of the failed checks. */
async function readyOf({ app }: Pick<TestApp, 'app'>) {
  const reply = await app.inject('/readyz')
  const { status, checks, error } = reply.json()
  expect(checks.map(({ name }: { name: string }) => name)).toEqual(names)
  const failed = checks.flatMap((check: { name: string; ok: boolean; reason?: string }) =>
    check.ok ? [] : [[check.name, check.reason]],
  )
  return { code: reply.statusCode, status, failed: Object.fromEntries(failed), error }
}

async function closeDatabase({ context }: TestApp): Promise<void> {
  await context.jobs.stop()
  await context.database.close()
}

describe('GET /readyz', () => {
  it('returns ready, with every check', async ({ site }) => {
    const reply = await site.app.inject('/readyz')
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      { status: 'ready', checks: names.map((name) => ({ name, ok: true })) },
    ])
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it.for([
    ['is missing', 'DELETE FROM _prisma_migrations'],
    ['never finished', 'UPDATE _prisma_migrations SET finished_at = NULL'],
    ['was rolled back', 'UPDATE _prisma_migrations SET rolled_back_at = now()'],
    ['is unknown', 'DROP TABLE _prisma_migrations'],
  ] as const)('names a migration that %s', async ([_name, sql], { site }) => {
    const { pool } = site.context.database
    const { rows } = await pool.query('SELECT migration_name FROM _prisma_migrations')
    await pool.query('ALTER TABLE _prisma_migrations RENAME TO original')
    onTestFinished(async () => {
      await pool.query('DROP TABLE IF EXISTS _prisma_migrations')
      await pool.query('ALTER TABLE original RENAME TO _prisma_migrations')
    })
    await pool.query('CREATE TABLE _prisma_migrations AS TABLE original')
    await pool.query(sql)
    const { code, status, failed, error } = await readyOf(site)
    expect([code, status, error.code]).toEqual([503, 'not-ready', 'service-unavailable'])
    for (const { migration_name: name } of rows) {
      expect(failed.migrations).toContain(name)
      expect(error.message).toContain(name)
    }
  })

  it('tells a failing query from an unavailable database, and logs its cause once', async () => {
    const site = await useLoggedApp()
    await site.context.database.pool.query(
      'ALTER TABLE _prisma_migrations RENAME COLUMN finished_at TO finished',
    )
    const [{ code, failed }] = [await readyOf(site), await readyOf(site)]
    expect([code, failed.database]).toEqual([503, 'A query of the database failed.'])
    const lines = site.log.lines.filter((line) => line.includes('column \\"finished_at\\" does not exist'))
    expect(lines).toHaveLength(1)
  })

  it('refuses requests while the database is unavailable, without its address', async () => {
    const site = await useLoggedApp({ STALE_IF_ERROR_SECONDS: '0' })
    await closeDatabase(site)
    const { code, status, failed, error } = await readyOf(site)
    expect([code, status, failed.database]).toEqual([503, 'not-ready', 'The database is unavailable.'])
    expect(error.code).toBe('service-unavailable')
  })

  it('is degraded without a database where cached responses are served', async () => {
    const site = await useLoggedApp()
    await closeDatabase(site)
    const { code, status, failed } = await readyOf(site)
    expect([code, status, failed.database]).toEqual([200, 'degraded', 'The database is unavailable.'])
  })

  it('refuses requests while the database is read-only', async () => {
    const site = await useLoggedApp()
    // Not through a pooler, which would give the site this connection with its SET.
    const { listenUrl } = site.context.config.database
    const admin = new pg.Client({ connectionString: listenUrl })
    await admin.connect()
    const name = admin.escapeIdentifier(new URL(listenUrl).pathname.slice(1))
    await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`)
    await admin.query('SET default_transaction_read_only = off')
    onTestFinished(async () => {
      await admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
      await admin.end()
    })
    // The pool notices its closed connections a little later.
    await vi.waitFor(async () => {
      const { code, failed } = await readyOf(site)
      expect([code, failed['database-writes']]).toEqual([503, 'The database is read-only.'])
    }, waitOptions)
  })

  it('is degraded while the listener reconnects, and refuses requests after ten seconds', async () => {
    const site = await useLoggedApp()
    await site.context.notifications.stop()
    const atFirst = await readyOf(site)
    site.clock.pass(10_001)
    const later = await readyOf(site)
    expect([atFirst.code, atFirst.status]).toEqual([200, 'degraded'])
    expect(atFirst.failed).toEqual({ notifications: 'Changes by other processes do not arrive.' })
    expect([later.code, later.status]).toEqual([503, 'not-ready'])
  })

  it('does not wait for a database that hangs', async () => {
    const site = await useLoggedApp()
    const blocker = await site.context.database.pool.connect()
    await blocker.query('BEGIN; LOCK TABLE _prisma_migrations')
    const atFirst = await readyOf(site)
    site.clock.pass(10_001)
    const later = await readyOf(site)
    await blocker.query('ROLLBACK')
    blocker.release()
    expect([atFirst.code, atFirst.failed.database]).toEqual([
      200,
      'The database did not reply within 2 seconds.',
    ])
    expect(later.code).toBe(503)
  })

  it('is degraded while the media folder is not writable', async () => {
    const site = await useLoggedApp()
    const folder = path.join(site.context.config.dataDir, 'media')
    await rm(folder, { recursive: true, force: true })
    await writeFile(folder, 'no folder')
    const { code, status, failed } = await readyOf(site)
    expect([code, status]).toEqual([200, 'degraded'])
    expect(failed).toEqual({ 'media-folder': 'The media folder is not writable.' })
  })

  it('refuses requests while the process drains, though it serves them', async () => {
    const site = await useLoggedApp()
    site.context.drain.begin()
    const { code, failed } = await readyOf(site)
    expect([code, failed]).toEqual([503, { process: 'The process is stopping.' }])
    expect(site.log.entries().filter(({ msg }) => msg === 'failing')).toEqual([])
    const other = await site.app.inject('/healthz')
    expect([other.statusCode, other.headers.connection]).toEqual([200, 'close'])
  })

  it('logs and counts each change of a check', async () => {
    const site = await useLoggedApp()
    const folder = path.join(site.context.config.dataDir, 'media')
    const before = site.log.lines.length
    await writeFile(folder, 'no folder')
    await readyOf(site)
    await readyOf(site)
    const during = await metricValues(site.context.metrics, 'tidings_readiness_check_ok')
    await rm(folder)
    await readyOf(site)
    const lines = site.log.entries(before).filter(({ name }) => name === 'media-folder')
    expect(lines).toMatchObject([
      { msg: 'failing', reason: 'The media folder is not writable.' },
      { msg: 'recovered', failures: 2 },
    ])
    expect(during).toContainEqual({ labels: { check: 'media-folder' }, value: 0 })
    expect(during).toContainEqual({ labels: { check: 'database' }, value: 1 })
  })
})
