import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from '@tidings/launcher/repository'
import { runCommand } from '@tidings/launcher/run-command'
import type { Lifetime } from '../../programs/lifetime.ts'

/** An earlier release, built in a folder of its own. */
export type EarlierRelease = { commit: string; api: string; migrate(databaseUrl: string): Promise<void> }

/** Builds the API of the commit in `UPGRADE_FROM`; by default, of the last one without the two newest migrations. */
export async function buildEarlierRelease(lifetime: Lifetime): Promise<EarlierRelease> {
  const commit = process.env.UPGRADE_FROM ?? (await commitBeforeTwoMigrations())
  const folder = await mkdtemp(join(tmpdir(), 'tidings-earlier-'))
  lifetime.atEnd(() => rm(folder, { recursive: true, force: true }))
  const archive = join(folder, 'source.tar')
  await run('git', ['archive', '--output', archive, commit], repositoryRoot)
  await run('tar', ['-xf', archive, '-C', folder], folder)
  const pnpm = (...args: string[]) => run('npx', ['--yes', 'pnpm@12', ...args], folder)
  await pnpm('install', '--frozen-lockfile', '--prefer-offline')
  await pnpm('--filter', '@tidings/api', 'run', 'generate')
  await pnpm('build')
  return {
    commit: commit.slice(0, 8),
    api: join(folder, 'apps/api/dist/main.js'),
    async migrate(databaseUrl) {
      await run(process.execPath, [join(folder, 'prisma/migrate.ts')], folder, { DATABASE_URL: databaseUrl })
    },
  }
}

async function commitBeforeTwoMigrations(): Promise<string> {
  const added = await run(
    'git',
    ['log', '--diff-filter=A', '--format=%H', '-2', '--', 'prisma/migrations'],
    repositoryRoot,
  )
  const [, second] = added.trim().split('\n')
  if (second === undefined) throw new Error('The history has fewer than two migrations. Set UPGRADE_FROM.')
  return (await run('git', ['rev-parse', `${second}^`], repositoryRoot)).trim()
}

async function run(file: string, args: string[], cwd: string, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runCommand(file, args, { cwd, env: { ...process.env, ...env } })
  if (code !== 0)
    throw new Error(`${file} ${args.join(' ')} ended with ${code}: ${(stderr || stdout).slice(-500)}`)
  return stdout
}
