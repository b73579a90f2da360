import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { repositoryRoot } from '../process/repository.ts'
import { runCommand } from '../process/run-command.ts'
import { endToEndReport, type Outcome, readReport } from './reports.ts'
import { playwrightResults } from './results.ts'

type RunOptions = {
  env?: NodeJS.ProcessEnv
  /** Receives each line of the output. */
  log?: (line: string) => void
  signal?: AbortSignal
}

const require = createRequire(import.meta.url)

/**
 * Runs one file of Vitest's tests alone, with the arguments of its package's script. `report` is the package's
 * `.reports/unit.json` or `.reports/integration.json`; the report of this run stands beside it.
 */
export async function runVitestFile(
  report: string,
  file: string,
  { env = {}, log = () => {}, signal }: RunOptions = {},
): Promise<Outcome> {
  const packageDir = dirname(dirname(report))
  const manifest: unknown = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))
  const outputFile = secondReport(report)
  const args = [
    join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs'),
    ...scriptArguments(manifest, `test:${basename(report, '.json')}`),
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`, file],
  ]
  await runCommand(process.execPath, args, {
    cwd: packageDir,
    env: { ...process.env, ...env },
    onLine: log,
    signal,
  })
  return readReport(outputFile)
}

/** Runs one file of the end-to-end tests alone, at a site of its own. `file` is as Playwright names it. */
export async function runEndToEndFile(
  file: string,
  { env = {}, log = () => {}, signal }: RunOptions = {},
): Promise<Outcome> {
  const webDir = join(repositoryRoot, 'apps/web')
  const playwright = createRequire(join(webDir, 'package.json')).resolve('@playwright/test/package.json')
  const outputFile = secondReport(endToEndReport)
  const args = [join(dirname(playwright), 'cli.js'), 'test', file, '--no-deps', '--reporter=list,json']
  await runCommand(process.execPath, args, {
    cwd: webDir,
    env: { ...process.env, ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: outputFile },
    onLine: log,
    signal,
  })
  return readReport(outputFile, playwrightResults)
}

function secondReport(report: string): string {
  return report.replace(/\.json$/, '-second.json')
}

/** Returns the arguments of a script that runs Vitest. */
function scriptArguments(manifest: unknown, name: string): string[] {
  const scripts = typeof manifest === 'object' && manifest !== null && Reflect.get(manifest, 'scripts')
  const script = typeof scripts === 'object' && scripts !== null && Reflect.get(scripts, name)
  if (typeof script !== 'string' || !script.startsWith('vitest run'))
    throw new Error(`package.json has no script ${name} that runs Vitest`)
  return script.split(' ').slice(1)
}
