import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, runCommand } from '../process/run-command.ts'
import { giveTo } from './account.ts'

/** The database user that owns everything. */
export const userName = 'tidings'
const passwordName = 'tidings-password'

/** Whether the folder holds a server's files. */
export function hasCluster(folder: string): boolean {
  return existsSync(join(folder, 'cluster/PG_VERSION'))
}

/** The password that was made up for these files. */
export async function readPassword(folder: string): Promise<string> {
  return (await readFile(join(folder, 'cluster', passwordName), 'utf8')).trim()
}

/** Makes a server's files in `folder/cluster`: UTF-8, UTC, reachable from this machine only and by password. */
export async function createCluster(folder: string, bin: string, account: Account | undefined) {
  const password = randomBytes(24).toString('base64url')
  // Made beside its place and renamed, so that an interrupted start leaves no half cluster behind.
  const draft = await mkdtemp(join(folder, 'new-'))
  await chmod(draft, 0o700)
  await giveTo(account, draft)
  const passwordFile = join(draft, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  await giveTo(account, passwordFile)
  const files = join(draft, 'cluster')
  await mkdir(files, { mode: 0o700 })
  await giveTo(account, files)
  const { code, stderr, stdout } = await runCommand(
    join(bin, 'initdb'),
    [
      ...['--pgdata', files, '--username', userName, '--pwfile', passwordFile],
      ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C'],
      ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--data-checksums'],
      ...['--set', 'timezone=UTC', '--set', 'log_timezone=UTC', '--set', 'listen_addresses=127.0.0.1'],
      ...['--set', 'unix_socket_directories=', '--set', 'max_connections=200'],
    ],
    { account },
  )
  if (code !== 0) throw new Error(`PostgreSQL could not create its files in ${folder}:\n${stderr || stdout}`)
  await rename(passwordFile, join(files, passwordName))
  // Two first starts at once: the files that got there first stay, with the password inside them.
  await rename(files, join(folder, 'cluster')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  await rm(draft, { recursive: true, force: true })
}
