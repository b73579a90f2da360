import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { freePort, isPortFree } from '../process/free-port.ts'
import { type Account, runCommand } from '../process/run-command.ts'
import { postgresAccount, postgresBinaries, reachableDataDir } from './account.ts'
import { createCluster, hasCluster, readPassword, userName } from './cluster.ts'
import { createDatabase, waitUntilReady } from './connection.ts'
import { repairCtype } from './ctype.ts'
import { isStale, readPostmaster, removePidFile } from './postmaster.ts'

const databaseName = 'tidings'

export type EmbeddedPostgresOptions = {
  /** Folder of the data, password and port; created when missing. */
  dataDir: string
  /** A fixed port; by default the last one, or a free one. */
  port?: number | undefined
  /** Server settings, such as `{ fsync: 'off' }` for temporary data. */
  settings?: Record<string, string>
  onProgress?: (line: string) => void
}

export type EmbeddedPostgres = {
  /** Address of the database `tidings`, with its password. */
  url: string
  /** Address of the database `postgres`, for creating and dropping databases. */
  adminUrl: string
  port: number
  /** Whether the server was already running, left by a killed process. */
  reused: boolean
  logFile: string
  isRunning(): Promise<boolean>
  /** Stops the server and waits for its end. May be called twice. */
  stop(): Promise<void>
  /** Stops the server and deletes its data. */
  destroy(): Promise<void>
}

/** The programs, files and operating-system user of a server. */
type Control = { bin: string; cluster: string; account: Account | undefined }
type Server = Control & { password: string }

/**
 * Starts the PostgreSQL from the npm package on 127.0.0.1, with data that persists. It takes over a server that a killed
 * process left running. Rejects with a message that says what to do.
 */
export async function startEmbeddedPostgres({
  dataDir,
  port,
  settings = {},
  onProgress = () => {},
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const account = await postgresAccount()
  const requestedDir = resolve(dataDir)
  const bin = join(await postgresBinaries(account, onProgress), 'bin')
  const folder = await reachableDataDir(requestedDir, account, onProgress)
  const cluster = join(folder, 'cluster')
  if (!hasCluster(folder)) {
    onProgress('Creating the database files')
    await createCluster(folder, bin, account)
  }
  const password = await readPassword(folder)
  const server: Server = { bin, cluster, account, password }
  const running = await takeOver(server)
  const actualPort = running ?? (await start(server, port ?? (await readSavedPort(folder)), port, settings))
  await writeFile(join(folder, 'port'), `${actualPort}\n`)
  const adminUrl = urlOf(server, actualPort, 'postgres')
  await createDatabase(adminUrl, databaseName)
  await repairCtype(adminUrl, databaseName, onProgress)

  return {
    url: urlOf(server, actualPort, databaseName),
    adminUrl,
    port: actualPort,
    reused: running !== undefined,
    logFile: logFileOf(cluster),
    isRunning: () => isRunning(server),
    stop: () => stopServer(server),
    async destroy() {
      await stopServer(server)
      await rm(folder, { recursive: true, force: true })
      await rm(requestedDir, { recursive: true, force: true })
    },
  }
}

/** Stops the server that may still run on this data and deletes the data. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  const account = await postgresAccount()
  const bin = join(await postgresBinaries(account, () => {}), 'bin')
  const folder = await reachableDataDir(resolve(dataDir), account, () => {})
  await stopServer({ bin, cluster: join(folder, 'cluster'), account })
  await rm(folder, { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
}

/** Returns the port of a server that already runs on this data. */
async function takeOver(server: Server): Promise<number | undefined> {
  const postmaster = await readPostmaster(server.cluster)
  if (!postmaster) return undefined
  if (await isRunning(server)) {
    await waitUntilReady(urlOf(server, postmaster.port, 'postgres'), server.cluster)
    return postmaster.port
  }
  if (await isStale(postmaster.pid)) await removePidFile(server.cluster)
  return undefined
}

async function isRunning({ bin, cluster, account }: Control) {
  const { code } = await runCommand(join(bin, 'pg_ctl'), ['status', '--pgdata', cluster], { account })
  const postmaster = await readPostmaster(cluster)
  return code === 0 && !(postmaster && (await isStale(postmaster.pid)))
}

async function start(
  server: Server,
  preferredPort: number | undefined,
  fixedPort: number | undefined,
  settings: Record<string, string>,
): Promise<number> {
  const { bin, cluster, account } = server
  if (fixedPort && !(await isPortFree(fixedPort))) {
    throw new Error(`Port ${fixedPort}, which PostgreSQL was configured to use, is taken by another program.`)
  }
  for (let attempt = 1; ; attempt += 1) {
    const canKeep = attempt === 1 && preferredPort && (await isPortFree(preferredPort))
    const port = canKeep ? preferredPort : (fixedPort ?? (await freePort()))
    const flags = [`-p ${port}`, ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)]
    const log = logFileOf(cluster)
    const { code, stderr } = await runCommand(
      join(bin, 'pg_ctl'),
      ['start', '--wait', '--timeout', '60', '--pgdata', cluster, '--log', log, '--options', flags.join(' ')],
      { account },
    )
    if (code === 0) return port
    // Another process may have started it on the same data.
    const other = await takeOver(server)
    if (other !== undefined) return other
    if (attempt === 3) {
      const lastLines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-8).join('\n')
      throw new Error(
        `PostgreSQL didn't start with the data in ${dirname(cluster)}:\n${lastLines || stderr}\n` +
          "If you don't need this data, delete that folder and start again.",
      )
    }
    // The processes of a killed server take a moment to end.
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function stopServer(server: Control) {
  const { bin, cluster, account } = server
  if (!(await isRunning(server))) return
  const args = ['stop', '--wait', '--timeout', '60', '--mode', 'fast', '--pgdata', cluster]
  const { code, stderr } = await runCommand(join(bin, 'pg_ctl'), args, { account })
  if (code !== 0 && (await isRunning(server))) throw new Error(`PostgreSQL didn't stop: ${stderr.trim()}`)
}

async function readSavedPort(folder: string) {
  const port = Number(await readFile(join(folder, 'port'), 'utf8').catch(() => ''))
  return Number.isInteger(port) && port > 0 ? port : undefined
}

function logFileOf(cluster: string) {
  return join(cluster, 'server.log')
}

function urlOf({ password }: Server, port: number, database: string) {
  return `postgresql://${userName}:${password}@127.0.0.1:${port}/${database}`
}
