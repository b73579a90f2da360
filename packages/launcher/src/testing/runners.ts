import { existsSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../process/repository.ts'
import { runCommand } from '../process/run-command.ts'
import { type Results, readResults, resultsFileSetting } from './results.ts'

export type RunOptions = {
  /** Receives each line of the output. */
  log: (line: string) => void
  signal: AbortSignal
  env?: NodeJS.ProcessEnv
  /** Runs the tests of one file only, by its path in the repository. */
  file?: string
}

/** Runs the unit and integration tests of all packages. Rejects when Vitest didn't end as expected. */
export async function runVitest(options: RunOptions): Promise<Results> {
  const program = programOf(repositoryRoot, 'vitest', 'vitest.mjs')
  const files = options.file === undefined ? [] : [options.file]
  // The bench starts the simulations.
  return run([program, 'run', '--project', '!*(simulation)', ...files], repositoryRoot, options)
}

/** Runs the browser tests; one file at a site of its own. Rejects when Playwright didn't end as expected. */
export async function runPlaywright(options: RunOptions): Promise<Results> {
  const webDir = join(repositoryRoot, 'apps/web')
  const program = programOf(webDir, '@playwright/test', 'cli.js')
  const files = options.file === undefined ? [] : ['--no-deps', join(repositoryRoot, options.file)]
  return run([program, 'test', ...files], webDir, options)
}

async function run(args: string[], cwd: string, { log, signal, env }: RunOptions): Promise<Results> {
  const results = join(cwd, '.reports/results.json')
  rmSync(results, { force: true })
  const { code, stderr } = await runCommand(process.execPath, args, {
    cwd,
    onLine: log,
    signal,
    env: { ...process.env, ...env, [resultsFileSetting]: results },
  })
  for (const line of stderr.trimEnd().split('\n')) log(line)
  if (!existsSync(results)) throw new Error(`ended with code ${code} and without results`)
  const read = readResults(results)
  if (code !== 0 && read.failures.length === 0) throw new Error(`ended with code ${code}`)
  return read
}

function programOf(folder: string, packageName: string, file: string): string {
  const manifest = createRequire(join(folder, 'package.json')).resolve(`${packageName}/package.json`)
  return join(dirname(manifest), file)
}
