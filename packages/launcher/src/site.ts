import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { freePort } from './free-port.ts'
import { runMigrations } from './migrations.ts'
import { keepPostgres } from './postgres-watch.ts'
import { repositoryRoot, seedScript } from './repository.ts'
import { runCommand } from './run-command.ts'
import { developmentDefaults, environmentWithoutSettings } from './settings.ts'
import { keepRunning, type Supervision } from './supervision.ts'

const emulatorsScript = join(repositoryRoot, 'packages/emulators/src/bin.ts')
const readyTimeoutMs = 60_000

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
  /** Whether to fill in the seeded editions; yes when not given. */
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
  inboxUrl: string
  smtpUrl: string
  databaseUrl: string
  dataDir: string
  logDir: string
  sitePassword: string
  editorKey: string
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
  const { onProgress = () => {}, workers = 1, supervision } = options
  const scripts = processScripts(options.fromSources === true || options.watch === true)
  const logDir = join(dataDir, 'logs')
  await mkdir(logDir, { recursive: true })

  const databaseUrl = options.databaseUrl ?? (await startDatabase(options, dataDir, temporary, onStop))
  onProgress('Migrating the database')
  await runMigrations(databaseUrl)

  const [port, sandboxPort, smtpPort] = await Promise.all([
    options.port || freePort(),
    options.sandboxPort || freePort(),
    Number(options.env?.SMTP_PORT) || freePort(),
  ])
  const smtpUrl = `smtp://127.0.0.1:${smtpPort}`
  const env: NodeJS.ProcessEnv = {
    ...environmentWithoutSettings(),
    NODE_ENV: 'development',
    ...developmentDefaults,
    SMTP_URL: smtpUrl,
    SANDBOX: 'on',
    API_JOBS: workers > 0 ? 'off' : 'on',
    ...givenSettings(options.env ?? {}),
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    SMTP_PORT: String(smtpPort),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
  }
  if (options.seed !== false) {
    onProgress('Filling in the seeded editions')
    await seed(env, options.signal)
  }

  const pids: Record<string, number> = {}
  const whenReady: (() => void)[] = []
  const run = (name: string, args: string[], endsPerMinute: number, extra: NodeJS.ProcessEnv = {}): Child => {
    const { onLine } = options
    const start = () =>
      startChild({
        name,
        args,
        env: { ...env, ...extra },
        cwd: repositoryRoot,
        logFile: join(logDir, `${name.toLowerCase().replaceAll(' ', '-')}.log`),
        ...(onLine ? { onLine: (line: string) => onLine(name, line) } : {}),
      })
    const child = start()
    pids[name] = child.pid
    supervision?.onStart(child)
    let end = child.stop
    onStop(() => end())
    // Only what came up once is worth starting again.
    if (supervision) {
      const keep = () => {
        end = keepRunning(start, { endsPerMinute }, supervision, child)
      }
      whenReady.push(keep)
    }
    return child
  }

  const host = { HOST: '127.0.0.1' }
  const inbox = run('inbox', [emulatorsScript], 3, host)
  const inboxOrigin = `http://localhost:${sandboxPort}`
  await waitFor(`http://127.0.0.1:${sandboxPort}/healthz`, inbox, options.signal)
  onProgress('Starting the site')
  const watching = options.watch ? ['--watch', '--watch-preserve-output'] : []
  for (let index = 1; index <= workers; index += 1) {
    run(workers === 1 ? 'worker' : `worker ${index}`, [...watching, scripts.worker], Number.POSITIVE_INFINITY)
  }
  const api = run('API', [...watching, scripts.api], 3)
  const url = `http://localhost:${port}`
  await waitFor(`${url}/readyz`, api, options.signal)
  for (const keep of whenReady) keep()

  return {
    url: env.SITE_URL && options.port ? env.SITE_URL : url,
    inboxUrl: `${inboxOrigin}/inbox`,
    smtpUrl: env.SMTP_URL ?? smtpUrl,
    databaseUrl,
    dataDir,
    logDir,
    sitePassword: env.SITE_PASSWORD ?? '',
    editorKey: env.EDITOR_API_KEY ?? '',
    pids,
  }
}

/** An empty setting counts as not given, except for the password: without one nobody gets in. */
function givenSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => value || name === 'SITE_PASSWORD'))
}

async function startDatabase(
  { onProgress = () => {}, postgresSettings, supervision }: SiteOptions,
  dataDir: string,
  temporary: boolean,
  onStop: (end: () => Promise<void>) => void,
) {
  onProgress('Starting PostgreSQL')
  const options = {
    dataDir: join(dataDir, 'postgres'),
    ...(postgresSettings ? { settings: postgresSettings } : {}),
    onProgress,
  }
  const server = await startEmbeddedPostgres(options)
  const stopWatching = supervision ? keepPostgres(server, options, supervision) : () => {}
  onStop(async () => {
    stopWatching()
    await (temporary ? server.destroy() : server.stop())
  })
  return server.url
}

async function seed(env: NodeJS.ProcessEnv, signal: AbortSignal | undefined) {
  const { code, stdout, stderr } = await runCommand(process.execPath, [seedScript], { env, signal })
  if (code !== 0) throw new Error(`Filling in the seeded editions failed:\n${stderr.trim() || stdout.trim()}`)
}

function processScripts(fromSources: boolean) {
  const api = join(repositoryRoot, fromSources ? 'apps/api/src/main.ts' : 'apps/api/dist/main.js')
  const worker = join(repositoryRoot, fromSources ? 'apps/api/src/worker.ts' : 'apps/api/dist/worker.js')
  const missing = [api, worker].find((path) => !existsSync(path))
  if (missing) throw new Error(`${missing} is missing. Run 'npx --yes pnpm@12 build' first.`)
  return { api, worker }
}

/** Resolves once the address answers 200; rejects when the child ends first or takes longer than a minute. */
async function waitFor(url: string, child: Child, signal: AbortSignal | undefined) {
  const deadline = Date.now() + readyTimeoutMs
  let ending: string | undefined
  void child.exited.then((how) => {
    ending = how
  })
  for (;;) {
    signal?.throwIfAborted()
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.status === 200 && ending === undefined) return
    if (ending !== undefined) {
      throw new Error(
        `The ${child.name} ${ending} before it was ready. Its last lines:\n${await child.lastLines()}`,
      )
    }
    if (Date.now() > deadline) {
      const status = answer ? `answers ${answer.status}` : 'does not answer'
      throw new Error(
        `The ${child.name} ${status} at ${url} after a minute. Its last lines:\n${await child.lastLines()}`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
