import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { s3Keys, startS3 } from '#test/content/s3-server.ts'
import { paymentTest } from '#test/fixtures.ts'
import { startDnsServer } from '#test/mail/dns-server.ts'
import { readDocumentedCode } from '#test/sites/documented-code.ts'
import type { PaymentSite } from '#test/sites/payment-site.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import { useTestApp } from '#test/test-app.ts'
import type { Config } from '../config/config.ts'

const it = paymentTest()
const member = 'anna@example.com'
const failoverToken = 'f41l0ver-t0ken-of-the-tests-0123456789'

/** How an operator's command is run here: what stands for its placeholders, what it needs, and how it ends. */
type Prepared = {
  code: 0 | 1
  /** Replacements of parts of the command, such as a folder. */
  values?: Readonly<Record<string, string>>
  more?: readonly string[]
  config?: Config
  /** The text that a person types at the terminal. */
  answer?: string
  says: RegExp
}
type Prepare = (site: PaymentSite) => Prepared | Promise<Prepared>

const prints =
  (says: RegExp, { code = 0 }: { code?: 0 | 1 } = {}): Prepare =>
  () => ({ code, says })

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-documents-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function withMember({ members, site }: PaymentSite): Promise<void> {
  await members.signUp({ email: member })
  onTestFinished(async () => {
    await site.context.database.db.member.deleteMany({ where: { email: member } })
  })
}

async function withPerson({ site }: PaymentSite): Promise<void> {
  await site.context.people.seed({ email: member, name: 'Anna', roles: ['writer'] })
}

const withKey = ({ site: { context } }: PaymentSite) => context.editorKeys.create('anna', ['read'])

/** Writes the configuration of the app to a file, as the command before in the documents does. */
async function withAppFile({ site }: PaymentSite): Promise<Readonly<Record<string, string>>> {
  const file = path.join(await temporaryFolder(), 'app.json')
  const { printed } = await runInProcess(['app-config', 'show'], site.context.config)
  await writeFile(file, printed)
  return { 'app.json': file }
}

async function withBucket({ site }: PaymentSite): Promise<Config> {
  const { location } = await startS3()
  const bucket = { location, keys: { ...s3Keys, sessionToken: undefined } }
  return { ...site.context.config, media: { ...site.context.config.media, bucket } }
}

/** Backs up an empty site, and restores it there, whose database then has another name. */
async function withBackup(placeholder: string): Promise<Prepared> {
  const folder = await temporaryFolder()
  const { context } = await useTestApp({ working: false, listening: false })
  const { config } = context
  expect((await runInProcess(['backup', '--to', folder], config)).code).toBe(0)
  const [name = ''] = await readdir(folder)
  const { pathname } = new URL(config.database.url)
  onTestFinished(async () => {
    const client = new pg.Client({ connectionString: config.database.url })
    await client.connect()
    const { rows } = await client.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE datname LIKE $1',
      [`${pathname.slice(1)}_before_%`],
    )
    for (const { name: former } of rows) await client.query(`DROP DATABASE "${former}" WITH (FORCE)`)
    await client.end()
  })
  return {
    code: 0,
    config,
    values: { [placeholder]: path.join(folder, name) },
    says: /^Restored .+: \d+ rows of \d+ tables/m,
  }
}

const backsUp: Prepare = async () => ({
  code: 0,
  values: { '/backups': await temporaryFolder() },
  says: /\.tar: \d+ rows and 0 pictures/,
})

/** Each command of the documents. One that is missing here fails: add how it is run. */
const runs: Readonly<Record<string, Prepare>> = {
  // The account at Stripe has no webhook, so something must be done.
  'tidings doctor': prints(/✓ database: PostgreSQL 18[\s\S]*✗ stripe: No endpoint leads to/, { code: 1 }),
  'tidings version': prints(/^Tidings \d+\.\d+\.\d+, revision /),
  'tidings migrate': ({ databaseUrl }) => {
    vi.stubEnv('DATABASE_URL', databaseUrl)
    onTestFinished(() => void vi.unstubAllEnvs())
    return { code: 0, says: /./ }
  },
  'tidings search reindex': prints(/./),
  'tidings keys make desk': prints(/^tdk_\w{40}\n$/),
  'tidings keys make anna --scopes read,write': prints(/^tdk_\w{40}\n$/),
  'tidings keys list': prints(/\[read, write, publish\]/),
  'tidings keys revoke anna': async (site) => {
    await withKey(site)
    return { code: 0, answer: 'y', says: /^Revoked .* called anna/ }
  },
  'tidings keys rotate-signing-key': prints(/^New tokens are signed with /),
  'tidings people invite anna@example.com --role owner': prints(
    /^http:\/\/localhost:\d+\/desk\/invitation\/\S+\nWorks once, until /,
  ),
  'tidings people link anna@example.com': async (site) => {
    await withPerson(site)
    return { code: 0, says: /^http:\/\/localhost:\d+\/desk\/sign-in\/\S+\nWorks once, until / }
  },
  'tidings people list': async (site) => {
    await withPerson(site)
    return { code: 0, says: /^anna@example\.com {2}Anna {2}\[writer\]$/m }
  },
  'tidings people remove anna@example.com': async (site) => {
    await withPerson(site)
    return { code: 0, answer: 'y', says: /^Removed Anna\./ }
  },
  'tidings members find anna@example.com': async (site) => {
    await withMember(site)
    return { code: 0, says: /^mem_\w+ {2}anna@example\.com/ }
  },
  'tidings members export anna@example.com > anna.json': async (site) => {
    await withMember(site)
    return { code: 0, says: /^\{[\s\S]*anna@example\.com[\s\S]*\}\n$/ }
  },
  'tidings members delete anna@example.com': async (site) => {
    await withMember(site)
    return { code: 0, answer: member, says: /^Deleted mem_\w+\. Nothing is owed\./ }
  },
  'tidings app-config show > app.json': prints(/^\{[\s\S]*"plans"[\s\S]*\}\n$/),
  'tidings app-config check app.json': async (site) => ({
    code: 0,
    values: await withAppFile(site),
    says: /^Nothing would change\./m,
  }),
  'tidings app-config apply app.json': async (site) => ({
    code: 0,
    values: await withAppFile(site),
    says: /^Saved\. Nothing changed\./m,
  }),
  'tidings deliveries summary': prints(/^Sending is on\./),
  'tidings deliveries hold': ({ site }) => {
    onTestFinished(() => site.context.sendingGuard.setHeld(null))
    return { code: 0, says: /^All sending is held\./ }
  },
  'tidings deliveries release': async ({ site: { context, clock } }) => {
    await context.sendingGuard.setHeld(clock.now())
    return { code: 0, says: /^Sending is released\./ }
  },
  'tidings deliveries allow-codes': prints(/^Codes to new accounts are not stopped\./),
  'tidings deliveries digest 11-20-26': prints(/^Nothing is published on this day/),
  'tidings deliveries confirm-instance': prints(/^This database sends/),
  'tidings deliveries confirm-instance --fenced-by "$FAILOVER_TOKEN"': ({ site }) => {
    const { config } = site.context
    return {
      code: 0,
      config: { ...config, delivery: { ...config.delivery, failoverToken } },
      values: { '"$FAILOVER_TOKEN"': failoverToken },
      says: /^This database sends/,
    }
  },
  // A DNS server without the records, so something must be done.
  'tidings deliveries check': async () => ({
    code: 1,
    more: ['--dns', await startDnsServer({})],
    says: /SPF/,
  }),
  'tidings media migrate': async (site) => ({
    code: 0,
    config: await withBucket(site),
    says: /copied to the bucket/,
  }),
  'tidings media migrate --to folder': async (site) => ({
    code: 0,
    config: await withBucket(site),
    says: /copied to the folder/,
  }),
  'tidings payments sync': prints(/2 prices current/),
  'tidings payments check': prints(/No endpoint leads to/, { code: 1 }),
  'tidings payments reconcile': prints(/subscriptions of \d+ customers compared/),
  'tidings payments report': prints(/0 failed, 0 to refund by hand/),
  'tidings backup': async () => ({ code: 0, more: ['--to', await temporaryFolder()], says: /\.tar: / }),
  'tidings backup --to /backups --keep 14': backsUp,
  'tidings restore FILE': () => withBackup('FILE'),
  'tidings restore /backups/latest.tar': () => withBackup('/backups/latest.tar'),
}

describe('the documents', () => {
  it.for(['packages/ops/RUNBOOK.md', '.github/OPERATING.md', '.github/PAYMENTS.md'])(
    'name no command in %s that is not run here',
    async (page) => {
      const { tidings } = await readDocumentedCode(page)
      expect(tidings.length).toBeGreaterThan(4)
      expect(tidings.filter((command) => runs[command] === undefined)).toEqual([])
    },
  )

  it('have every command that is run here', async () => {
    const pages = ['packages/ops/RUNBOOK.md', '.github/OPERATING.md', '.github/PAYMENTS.md']
    const named = (await Promise.all(pages.map(readDocumentedCode))).flatMap(({ tidings }) => tidings)
    expect(Object.keys(runs).filter((command) => !named.includes(command))).toEqual([])
  })
})

describe('the documented command', () => {
  it.for(Object.entries(runs))('%s', async ([command, prepare], { payments }) => {
    const prepared = await prepare(payments)
    const { values = {}, more = [], config = payments.site.context.config } = prepared
    // A redirection is the shell's.
    const [, ...words] = command.replace(/ > \S+$/, '').split(' ')
    const args = [...words.map((word) => values[word] ?? word), ...more]
    const { code, printed, errors } = await runInProcess(args, config, prepared.answer)
    expect(printed, errors).toMatch(prepared.says)
    expect(code, printed).toBe(prepared.code)
  })
})
