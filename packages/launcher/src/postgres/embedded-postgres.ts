import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { freePort, isPortFree } from '../process/free-port.ts'
import { type Account, runCommand } from '../process/run-command.ts'
import { postgresAccount, postgresBinaries, reachableDataDir } from './account.ts'
import { createCluster, hasCluster, readPassword, userName } from './cluster.ts'
import { createDatabase, waitUntilReady } from './connection.ts'
import { isStale, readPostmaster, removePidFile } from './postmaster.ts'

const databaseName = 'tidings'

export type EmbeddedPostgresOptions = {
  /** Folder of this server's data, password and port; made when missing. */
  dataDir: string
  /** A fixed port; without it the last one, or a free one. */
  port?: number | undefined
  /** Server settings for throw-away data, such as `{ fsync: 'off' }`. */
  settings?: Record<string, string>
  onProgress?: (line: string) => void
}

export type EmbeddedPostgres = {
  /** Address of the database `tidings`, password included. */
  url: string
  /** Address of the database `postgres` on the same server, for making and dropping databases. */
  adminUrl: string
  port: number
  /** Whether the server was running already, left over from a process that was killed. */
  reused: boolean
  /** What the server writes. */
  logFile: string
  isRunning(): Promise<boolean>
  /** Stops the server and waits for it. Safe to call twice. */
  stop(): Promise<void>
  /** Stops the server and deletes its data, wherever that is. */
  destroy(): Promise<void>
}

/** One server's programs, files and user. */
type Control = { bin: string; cluster: string; account: Account | undefined }
type Server = Control & { password: string }

/**
 * Starts the PostgreSQL that came with the install on 127.0.0.1, on data that stays. A server that a killed process
 * left running is taken over.
 * Rejects with a message that says what to do.
 */
export async function startEmbeddedPostgres({
  dataDir,
  port,
  settings = {},
  onProgress = () => {},
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const account = await postgresAccount()
  const asked = resolve(dataDir)
  const bin = join(await postgresBinaries(account, onProgress), 'bin')
  const folder = await reachableDataDir(asked, account, onProgress)
  const cluster = join(folder, 'cluster')
  if (!hasCluster(folder)) {
    onProgress('Creating the database files')
    await createCluster(folder, bin, account)
  }
  const password = await readPassword(folder)
  const server: Server = { bin, cluster, account, password }
  const running = await takeOver(server)
  const actualPort = running ?? (await start(server, port ?? (await rememberedPort(folder)), port, settings))
  await writeFile(join(folder, 'port'), `${actualPort}\n`)
  await createDatabase(address(server, actualPort, 'postgres'), databaseName)

  return {
    url: address(server, actualPort, databaseName),
    adminUrl: address(server, actualPort, 'postgres'),
    port: actualPort,
    reused: running !== undefined,
    logFile: logOf(cluster),
    isRunning: () => isRunning(server),
    stop: () => stopServer(server),
    async destroy() {
      await stopServer(server)
      await rm(folder, { recursive: true, force: true })
      await rm(asked, { recursive: true, force: true })
    },
  }
}

/** Stops the server that may still run on this data and deletes all of it. For throw-away data only. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  const account = await postgresAccount()
  const bin = join(await postgresBinaries(account, () => {}), 'bin')
  const folder = await reachableDataDir(resolve(dataDir), account, () => {})
  await stopServer({ bin, cluster: join(folder, 'cluster'), account })
  await rm(folder, { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
}

/** The port of a server that runs on this data already and lets us in. */
async function takeOver(server: Server): Promise<number | undefined> {
  const postmaster = await readPostmaster(server.cluster)
  if (!postmaster) return undefined
  if (await isRunning(server)) {
    await waitUntilReady(address(server, postmaster.port, 'postgres'), server.cluster)
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
  wish: number | undefined,
  fixed: number | undefined,
  settings: Record<string, string>,
): Promise<number> {
  const { bin, cluster, account } = server
  if (fixed && !(await isPortFree(fixed))) {
    throw new Error(`Port ${fixed}, which PostgreSQL was told to use, is taken by another program.`)
  }
  for (let attempt = 1; ; attempt += 1) {
    const port = wish && attempt === 1 && (await isPortFree(wish)) ? wish : (fixed ?? (await freePort()))
    const flags = [`-p ${port}`, ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)]
    const log = logOf(cluster)
    const { code, stderr } = await runCommand(
      join(bin, 'pg_ctl'),
      ['start', '--wait', '--timeout', '60', '--pgdata', cluster, '--log', log, '--options', flags.join(' ')],
      { account },
    )
    if (code === 0) return port
    // Another start on the same data may have been faster.
    const other = await takeOver(server)
    if (other !== undefined) return other
    if (attempt === 3) {
      const lastLines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-8).join('\n')
      throw new Error(
        `PostgreSQL did not start on the data in ${dirname(cluster)}:\n${lastLines || stderr}\n` +
          'A development database can be thrown away: delete that folder and start again.',
      )
    }
    // The processes of a server that was killed take a moment to go.
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function stopServer(server: Control) {
  const { bin, cluster, account } = server
  if (!(await isRunning(server))) return
  const args = ['stop', '--wait', '--timeout', '60', '--mode', 'fast', '--pgdata', cluster]
  const { code, stderr } = await runCommand(join(bin, 'pg_ctl'), args, { account })
  if (code !== 0 && (await isRunning(server))) throw new Error(`PostgreSQL did not stop: ${stderr.trim()}`)
}

async function rememberedPort(folder: string) {
  const port = Number(await readFile(join(folder, 'port'), 'utf8').catch(() => ''))
  return Number.isInteger(port) && port > 0 ? port : undefined
}

function logOf(cluster: string) {
  return join(cluster, 'server.log')
}

function address({ password }: Server, port: number, database: string) {
  return `postgresql://${userName}:${password}@127.0.0.1:${port}/${database}`
}
