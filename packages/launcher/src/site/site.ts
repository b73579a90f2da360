import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMigrations } from '../postgres/migrations.ts'
import { freePort } from '../process/free-port.ts'
import type { Supervision } from '../process/supervision.ts'
import { repositoryRoot } from '../repository.ts'
import { seed, startDatabase } from './database.ts'
import { identityUrlAt, reachableHost, siteEnvironment, stripeUrlAt } from './environment.ts'
import { apiScripts, createSiteProcesses } from './processes.ts'
import { syncPayments } from './sync-payments.ts'
import { waitFor } from './wait-for.ts'

const emulatorsScript = join(repositoryRoot, 'packages/emulators/src/bin.ts')

// Crashes in a minute that end it all; a worker may always try again.
const patient = { endsPerMinute: 3 }
const endlesslyPatient = { endsPerMinute: Number.POSITIVE_INFINITY }

export type SiteOptions = {
  /** Settings of the site, over the development defaults. Those in this process's environment do not count. */
  env?: NodeJS.ProcessEnv
  /** Ports of the site and the inbox; free ones when not given. */
  port?: number
  sandboxPort?: number
  /** Runs the sources instead of what `pnpm build` made. */
  fromSources?: boolean
  /** Starts API and worker anew whenever a source file changes. Implies `fromSources`. */
  watch?: boolean
  /** Folder of the database, pictures and logs; a fresh one, deleted at the end, when not given. */
  dataDir?: string
  /** A PostgreSQL of one's own instead of the embedded one. */
  databaseUrl?: string | undefined
  /** Server settings of the embedded PostgreSQL, such as `{ fsync: 'off' }` for throw-away data. */
  postgresSettings?: Record<string, string>
  /** Whether to fill in the seeded editions; when not given, everywhere but in production. */
  seed?: boolean
  /** How many worker processes; with 0 the API process works the jobs itself. */
  workers?: number
  onProgress?: (line: string) => void
  /** Gives up a start that is under way. */
  signal?: AbortSignal
  /** Each line of the API's and the workers' output as well as their log files. */
  onLine?: (name: string, line: string) => void
  /** Starts crashed processes again. Without it they stay down. */
  supervision?: Supervision
}

export type Site = {
  url: string
  /** The inbox page; empty where there is none. */
  inboxUrl: string
  /** The stand-in for Stripe; empty where Stripe itself is asked, or nobody can pay. */
  stripeUrl: string
  /** The issuer of the sign-in stand-in; empty where there is none. */
  identityUrl: string
  databaseUrl: string
  dataDir: string
  logDir: string
  sitePassword: string
  editorKey: string
  /** The membership app of the site, and its public key. */
  appId: string
  publicKey: string
  /** Whether the seeded contents are there. */
  isSeeded: boolean
  /** Process ids, by name: `API`, `worker`, `inbox`; those of the first start. */
  pids: Record<string, number>
  /** Ends everything in the right order and deletes a temporary data folder. Safe to call twice. */
  stop(): Promise<void>
}

/**
 * Brings up a whole site: PostgreSQL, migrated and seeded, the inbox, the API and its workers, and waits until it is ready.
 * Rejects with what went wrong, having stopped what it started.
 */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const temporary = options.dataDir === undefined
  const dataDir = options.dataDir ?? (await temporaryFolder())
  // Later ones stop first.
  const stops: (() => Promise<void>)[] = []
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= (async () => {
      const failures: unknown[] = []
      for (const end of stops.reverse()) await end().catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    })()
    return stopped
  }
  if (temporary) stops.push(() => rm(dataDir, { recursive: true, force: true }))
  try {
    return { ...(await bringUp(options, dataDir, temporary, (end) => stops.push(end))), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** As root, PostgreSQL runs as another user, who has to get through. */
async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-site-'))
  await chmod(folder, 0o711)
  return folder
}

async function bringUp(
  options: SiteOptions,
  dataDir: string,
  temporary: boolean,
  onStop: (end: () => Promise<void>) => void,
): Promise<Omit<Site, 'stop'>> {
  const { onProgress = () => {}, workers = 1, supervision, signal, env: given = {} } = options
  const scripts = apiScripts(options.fromSources === true || options.watch === true)
  const logDir = join(dataDir, 'logs')
  await mkdir(logDir, { recursive: true })

  const settings = options.postgresSettings ?? {}
  const database = options.databaseUrl
    ? { url: options.databaseUrl, stop: async () => {} }
    : await startDatabase({ dataDir, settings, temporary, supervision, onProgress })
  onStop(database.stop)
  onProgress('Migrating the database')
  await runMigrations(database.url)

  const [port, sandboxPort, smtpPort] = await Promise.all([
    options.port || freePort(),
    options.sandboxPort || freePort(),
    Number(given.SMTP_PORT) || freePort(),
  ])
  const databaseUrl = database.url
  const env = siteEnvironment({ given, port, sandboxPort, smtpPort, workers, dataDir, databaseUrl })
  const isSeeded = options.seed ?? env.NODE_ENV !== 'production'
  if (isSeeded) {
    onProgress('Filling in the seeded editions')
    await seed(env, signal, onProgress)
  }

  onProgress('Starting the site')
  const processes = createSiteProcesses({ env, logDir, onLine: options.onLine, supervision })
  const host = reachableHost(env.HOST)
  const hasInbox = env.SANDBOX === 'on'
  if (hasInbox) {
    const inbox = processes.run('inbox', [emulatorsScript], patient)
    onStop(inbox.stop)
    await waitFor(`http://${host}:${sandboxPort}/healthz`, inbox.child, signal)
    if (env.STRIPE_API_URL === stripeUrlAt(env.HOST, sandboxPort)) {
      onProgress('Bringing the plans to the stand-in for Stripe')
      await syncPayments(scripts.payments, env, signal)
    }
  }
  const watching = options.watch ? ['--watch', '--watch-preserve-output'] : []
  for (let index = 1; index <= workers; index += 1) {
    const name = workers === 1 ? 'worker' : `worker ${index}`
    onStop(processes.run(name, [...watching, scripts.worker], endlesslyPatient).stop)
  }
  const api = processes.run('API', [...watching, scripts.api], patient)
  onStop(api.stop)
  const url = `http://${host}:${port}`
  await waitFor(`${url}/readyz`, api.child, signal)
  processes.keepAll()

  return {
    url,
    inboxUrl: hasInbox ? `http://${host}:${sandboxPort}/inbox` : '',
    stripeUrl: env.STRIPE_API_URL ?? '',
    identityUrl: hasInbox ? identityUrlAt(env.HOST, sandboxPort) : '',
    databaseUrl,
    dataDir,
    logDir,
    sitePassword: env.SITE_PASSWORD ?? '',
    editorKey: env.EDITOR_API_KEY ?? '',
    appId: env.APP_ID ?? '',
    publicKey: env.APP_PUBLIC_KEY ?? '',
    isSeeded,
    pids: processes.pids,
  }
}
