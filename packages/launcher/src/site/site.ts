import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMigrations } from '../postgres/migrations.ts'
import { freePort } from '../process/free-port.ts'
import { repositoryRoot } from '../process/repository.ts'
import type { Supervision } from '../process/supervision.ts'
import { seed, startDatabase } from './database.ts'
import { identityUrlAt, reachableHost, siteEnvironment, stripeUrlAt } from './environment.ts'
import { apiScripts, createSiteProcesses } from './processes.ts'
import { makeSignInLink } from './sign-in-link.ts'
import { syncPayments } from './sync-payments.ts'
import { keepVapidKeys } from './vapid-keys.ts'
import { waitFor } from './wait-for.ts'
import { workerFlags } from './worker-flags.ts'

const emulatorsScript = join(repositoryRoot, 'packages/emulators/src/bin.ts')

// A worker may crash as often as it likes, because the site works without it.
const restartPolicy = { maxCrashesPerMinute: 3 }
const workerRestartPolicy = { maxCrashesPerMinute: Number.POSITIVE_INFINITY }

export type SiteOptions = {
  /** Settings of the site, which win over the defaults. The environment of this process is ignored. */
  env?: NodeJS.ProcessEnv
  /** Ports of the site and the inbox; free ones by default. */
  port?: number
  sandboxPort?: number
  /** Runs the sources instead of the built bundles. */
  fromSources?: boolean
  /** Restarts the API and the worker when a source file changes. Implies `fromSources`. */
  watch?: boolean
  /** Folder of the database, pictures and logs; by default a temporary one. */
  dataDir?: string
  /** A database to use instead of the embedded PostgreSQL. */
  databaseUrl?: string | undefined
  /** Settings of the embedded PostgreSQL, such as `{ fsync: 'off' }` for temporary data. */
  postgresSettings?: Record<string, string>
  /** Whether to add the seeded content; by default everywhere except in production. */
  seed?: boolean
  /** Width of the seeded pictures. Narrower ones are encoded faster. */
  seedPictureWidthPx?: number
  /** The number of worker processes; with 0 the API runs the jobs. */
  workers?: number
  onProgress?: (line: string) => void
  /** Cancels a start in progress. */
  signal?: AbortSignal
  /** Also receives each line of the API's and the workers' output. */
  onLine?: (name: string, line: string) => void
  /** Restarts crashed processes. */
  supervision?: Supervision
}

export type Site = {
  url: string
  /** The inbox page; empty without the sandbox. */
  inboxUrl: string
  /** The Stripe emulator; empty when the site uses Stripe itself or no payments. */
  stripeUrl: string
  /** The issuer of the identity emulator; empty without it. */
  identityUrl: string
  databaseUrl: string
  dataDir: string
  logDir: string
  sitePassword: string
  editorKey: string
  appId: string
  publicKey: string
  /** Whether the seeded content was added. */
  isSeeded: boolean
  /** Invites the seeded owner to the desk, and returns the link. */
  makeSignInLink(): Promise<string>
  /** Process ids of the first start by name: `API`, `worker`, `inbox`. */
  pids: Record<string, number>
  /** Stops all processes in reverse order and deletes a temporary data folder. May be called twice. */
  stop(): Promise<void>
}

/**
 * Starts a site with its database, inbox, API and workers, and waits until it is ready. When that fails, it stops what it
 * has started and rejects with the reason.
 */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const temporary = options.dataDir === undefined
  const dataDir = options.dataDir ?? (await temporaryFolder())
  // Run in reverse order.
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

/** Creates a folder that another user can enter, because PostgreSQL doesn't run as root. */
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
  await runMigrations(database.url, (line) => {
    if (line.startsWith('Warning')) onProgress(line)
  })

  const [port, sandboxPort, smtpPort, bouncePort] = await Promise.all([
    options.port || freePort(),
    options.sandboxPort || freePort(),
    Number(given.SMTP_PORT) || freePort(),
    Number(given.BOUNCE_SMTP_PORT) || freePort(),
  ])
  const databaseUrl = database.url
  const env = siteEnvironment({
    given,
    port,
    sandboxPort,
    smtpPort,
    bouncePort,
    workers,
    dataDir,
    databaseUrl,
    vapidKeys: given.NODE_ENV === 'production' ? null : await keepVapidKeys(dataDir),
  })
  const isSeeded = options.seed ?? env.NODE_ENV !== 'production'
  if (isSeeded) {
    onProgress('Adding the seeded content')
    await seed({ env, pictureWidthPx: options.seedPictureWidthPx, signal, onProgress })
  }

  onProgress('Starting the site')
  const processes = createSiteProcesses({ env, logDir, onLine: options.onLine, supervision })
  const host = reachableHost(env.HOST)
  const hasInbox = env.SANDBOX === 'on'
  if (hasInbox) {
    const inbox = processes.run('inbox', [emulatorsScript], restartPolicy)
    onStop(inbox.stop)
    await waitFor(`http://${host}:${sandboxPort}/healthz`, inbox.child, signal)
    if (env.STRIPE_API_URL === stripeUrlAt(env.HOST, sandboxPort)) {
      onProgress('Creating the plans at the Stripe emulator')
      await syncPayments(scripts.tidings, env, signal)
    }
  }
  const watching = options.watch ? ['--watch', '--watch-preserve-output'] : []
  for (let index = 1; index <= workers; index += 1) {
    const name = workers === 1 ? 'worker' : `worker ${index}`
    onStop(processes.run(name, [...watching, ...workerFlags, scripts.worker], workerRestartPolicy).stop)
  }
  const api = processes.run('API', [...watching, scripts.api], restartPolicy)
  onStop(api.stop)
  const url = `http://${host}:${port}`
  await waitFor(`${url}/readyz`, api.child, signal)
  processes.superviseAll()

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
    makeSignInLink: () => makeSignInLink(scripts.tidings, env, signal),
    pids: processes.pids,
  }
}
