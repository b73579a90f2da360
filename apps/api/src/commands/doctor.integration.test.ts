import { once } from 'node:events'
import { createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { describe, expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import { siteTest } from '#test/fixtures.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import type { Config } from '../config/config.ts'
import { runChecks } from './doctor/check.ts'

const reportSchema = z.object({
  isComplete: z.boolean(),
  checks: z.array(z.object({ name: z.string(), level: z.string(), text: z.string() })),
})

const it = siteTest({ working: false }).extend(
  'examine',
  { scope: 'file' },
  ({ site }) =>
    async (change: (config: Config) => Partial<Config> = () => ({})) => {
      const { config } = site.context
      const changed = { ...config, ...change(config) }
      const { code, printed } = await runInProcess(['doctor', '--json'], changed)
      const { checks } = reportSchema.parse(JSON.parse(printed))
      const found = (name: string) => checks.find((each) => each.name === name)
      return { code, printed, found }
    },
)

/** Returns the address of a server that accepts connections and says nothing, or of a port without one. */
async function startSilentServer({ isOpen }: { isOpen: boolean }): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  if (isOpen) onTestFinished(() => void server.close())
  else await new Promise((resolve) => server.close(resolve))
  return port
}

async function startMailServer(): Promise<number> {
  const server = new SMTPServer({
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'tidings' }) : done(new Error('Invalid password')),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(resolve)))
  return z.object({ port: z.number() }).parse(server.server.address()).port
}

const mailAt = (config: Config, smtpUrl: string) => {
  return { mail: { ...config.mail, smtpUrl, bulkSmtpUrl: smtpUrl } }
}

describe('doctor', () => {
  it('says of each part of the database and the machine that it is right', async ({ examine }) => {
    const { found } = await examine()
    for (const name of [
      'settings',
      'database',
      'connections',
      'notifications',
      'migrations',
      'clock',
      'media',
    ])
      expect(found(name)).toMatchObject({ name, level: 'ok' })
    expect(found('twilio')).toMatchObject({ level: 'skipped' })
  })

  it('finds no backup, a recent one and one that is too old', async ({ site, examine }) => {
    const { context } = site
    const levelAt = async () => (await examine()).found('backup')
    expect(await levelAt()).toMatchObject({ level: 'skipped' })
    const record = async (hours: number) => {
      const finishedAt = new Date(Date.now() - hours * 3_600_000)
      await context.database.db.backupRecord.deleteMany()
      await context.database.db.backupRecord.create({ data: { finishedAt, bytes: 1n, kind: 'folder' } })
    }
    await record(25)
    expect(await levelAt()).toMatchObject({ level: 'ok', text: expect.stringContaining('25 hours ago') })
    await record(27)
    expect(await levelAt()).toMatchObject({
      level: 'failed',
      text: expect.stringContaining("Run 'tidings backup'"),
    })
  })

  it('names a database that is stopped, without its password, and exits with 1', async ({ examine }) => {
    const port = await startSilentServer({ isOpen: false })
    const url = `postgresql://tidings:very-secret@127.0.0.1:${port}/tidings`
    const { code, printed, found } = await examine((config) => ({ database: { ...config.database, url } }))
    expect(code).toBe(1)
    expect(found('database')?.text).toMatch(/^The database can't be reached: .*Check that it is running/)
    expect(printed).not.toContain('very-secret')
  })

  it('names the LC_CTYPE that breaks the search, and an empty database', async ({ examine, site }) => {
    const { pool } = site.context.database
    await pool.query(
      `CREATE DATABASE doctor_ctype ENCODING 'UTF8' LC_CTYPE 'C' LC_COLLATE 'C' TEMPLATE template0`,
    )
    onTestFinished(async () => void (await pool.query('DROP DATABASE doctor_ctype WITH (FORCE)')))
    const { code, found } = await examine(({ database }) => {
      const url = new URL(database.url)
      url.pathname = '/doctor_ctype'
      return { database: { ...database, url: url.href } }
    })
    expect(code).toBe(1)
    expect(found('database')?.text).toContain(
      "These extensions are missing: pg_trgm, unaccent. Run 'tidings migrate'",
    )
    expect(found('database')?.text).toContain('With the LC_CTYPE C, the search')
    expect(found('migrations')?.text).toBe("The database is empty. Run 'tidings migrate'.")
  })

  it.for([
    ['right', 'ok', /takes our emails/],
    ['wrong', 'failed', /doesn't take our emails: .*Check SMTP_URL/],
  ] as const)('logs in at the mail server: %s', async ([password, level, says], { examine }) => {
    const port = await startMailServer()
    const { printed, found } = await examine((config) =>
      mailAt(config, `smtp://tidings:${password}@127.0.0.1:${port}?tls.rejectUnauthorized=false`),
    )
    expect(found('mail server')).toMatchObject({ level, text: expect.stringMatching(says) })
    expect(printed).not.toContain(`:${password}@`)
  })

  it('names a site behind an untrusted proxy', async ({ examine }) => {
    const { found } = await examine(({ site, http }) => ({
      site: { ...site, url: new URL('https://news.example.com') },
      http: { ...http, trustProxy: false },
    }))
    expect(found('proxy')).toMatchObject({
      level: 'failed',
      text: expect.stringContaining('TRUST_PROXY is off'),
    })
  })
})

describe('a check', () => {
  it('that takes longer than the limit or throws has failed', async () => {
    const checks = [
      { name: 'silent', run: () => new Promise<never>(() => {}) },
      { name: 'broken', run: () => Promise.reject(new Error('at smtp://ann:secret@mail.example')) },
    ]
    expect(await runChecks(checks, 20)).toEqual([
      { name: 'silent', level: 'failed', text: 'This check took longer than 0.02 s. Try again.' },
      {
        name: 'broken',
        level: 'failed',
        text: 'at smtp://[redacted]@mail.example. Do what the other checks say, and try again.',
      },
    ])
  })
})
