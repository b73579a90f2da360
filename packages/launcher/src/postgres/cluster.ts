import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Account, runCommand } from '../process/run-command.ts'
import { giveOwnership } from './account.ts'
import { ctypes } from './ctype.ts'

/** The database user that owns everything. */
export const userName = 'tidings'
const passwordName = 'tidings-password'

/** Returns whether the folder has the files of a server. */
export function hasCluster(folder: string): boolean {
  return existsSync(join(folder, 'cluster/PG_VERSION'))
}

/** Returns the generated password of these files. */
export async function readPassword(folder: string): Promise<string> {
  return (await readFile(join(folder, 'cluster', passwordName), 'utf8')).trim()
}

/** Creates the files of a server in `folder/cluster`: UTF-8, UTC, local connections with a password only. */
export async function createCluster(folder: string, bin: string, account: Account | undefined) {
  const password = randomBytes(24).toString('base64url')
  // Created elsewhere and renamed, so that an interrupted start leaves no incomplete cluster.
  const draft = await mkdtemp(join(folder, 'new-'))
  await chmod(draft, 0o700)
  await giveOwnership(account, draft)
  const passwordFile = join(draft, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  await giveOwnership(account, passwordFile)
  const files = join(draft, 'cluster')
  await mkdir(files, { mode: 0o700 })
  await giveOwnership(account, files)
  await initialize(files, passwordFile, bin, account)
  await rename(passwordFile, join(files, passwordName))
  // When two processes create it at once, the first files stay, with their password inside.
  await rename(files, join(folder, 'cluster')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  await rm(draft, { recursive: true, force: true })
}

async function initialize(files: string, passwordFile: string, bin: string, account: Account | undefined) {
  for (const ctype of ctypes) {
    const { code, stderr, stdout } = await runCommand(
      join(bin, 'initdb'),
      [
        ...['--pgdata', files, '--username', userName, '--pwfile', passwordFile],
        ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C', '--lc-ctype', ctype],
        ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--data-checksums'],
        ...['--set', 'timezone=UTC', '--set', 'log_timezone=UTC', '--set', 'listen_addresses=127.0.0.1'],
        ...['--set', 'unix_socket_directories=', '--set', 'max_connections=200'],
      ],
      { account },
    )
    if (code === 0) return
    if (ctype === ctypes.at(-1) || !stderr.includes('invalid locale name')) {
      throw new Error(`PostgreSQL couldn't create its files in ${dirname(files)}:\n${stderr || stdout}`)
    }
  }
}
