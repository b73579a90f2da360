import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findChromium } from './browser/chromium.ts'
import { watchAncestors } from './process/ancestors.ts'
import { memoryFolder } from './process/memory-folder.ts'
import { isAlive } from './process/process-facts.ts'
import { runTurbo, type TurboOptions } from './process/turbo.ts'
import { createProgress, formatDuration } from './progress.ts'
import { endToEndEnvironment, startEndToEndSite } from './testing/end-to-end.ts'
import { type Failure, nameOf, type Results } from './testing/results.ts'
import { type RunOptions, runPlaywright, runVitest } from './testing/runners.ts'
import { type RunFile, runFailedFilesAgain } from './testing/second-run.ts'

const progress = createProgress()
/** Room for the temporary files of a run. */
const temporaryBytes = 4_000_000_000
/** Ends a stage that hangs. A machine that others use too can need more than twice the usual time. */
const stageTimeoutMs = 60 * 60_000
/** How many checks run at once: each uses about one core, and the tests the rest. */
const concurrency = '50%'
/** The part of a failure's message that the summary repeats. */
const messageLines = 12
const lineLength = 240

const interruption = new AbortController()
const { signal } = interruption
const stops: (() => Promise<void>)[] = []
/** Failures that no test runner counts: a check, a build, a runner that died. */
const problems: string[] = []
/** How long each stage took. */
const durations: string[] = []
/** Tests that failed, and passed when their file ran once more. */
const flaky: Failure[] = []

/** The tests of a runner: their results, and how one of their files runs again. */
type TestRun = { results: Results; runFile: RunFile }

function heading(text: string) {
  progress.say(`\n── ${text} ${'─'.repeat(Math.max(3, 70 - text.length))}\n`)
}

async function stopAll() {
  for (const stop of stops.splice(0).reverse())
    await stop().catch((error: unknown) => progress.say(String(error)))
}

/** Aborts the running stage. No other stage starts after that. */
function interrupt(reason: string) {
  if (interruption.signal.aborted) return
  progress.say(`\n${reason} Stopping the tests.`)
  interruption.abort()
}

/** Runs a stage. What it rejects with is a problem of the run, and the stage then returns undefined. */
async function stage<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  signal.throwIfAborted()
  heading(title)
  const since = performance.now()
  const limit = AbortSignal.timeout(stageTimeoutMs)
  try {
    const result = await work(AbortSignal.any([signal, limit]))
    limit.throwIfAborted()
    return result
  } catch (error) {
    const message = limit.aborted ? `took longer than ${stageTimeoutMs / 60_000} minutes` : messageOf(error)
    progress.say(message)
    problems.push(`${title}: ${message.split('\n')[0]}`)
    return undefined
  } finally {
    durations.push(`${title.split(':')[0]}: ${formatDuration(performance.now() - since)}`)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns whether all tasks succeeded. */
async function turboStage(title: string, tasks: string[], options: TurboOptions = {}): Promise<boolean> {
  const isDone = await stage(title, async (limit) => {
    const { succeeded } = await runTurbo(tasks, { ...options, live: true, keepGoing: true, signal: limit })
    if (!succeeded) throw new Error('failed (see above)')
    return true
  })
  return isDone === true
}

/** Runs tests. Returns undefined if their runner died. */
async function testStage(
  title: string,
  run: (options: RunOptions) => Promise<Results>,
  prepare: (signal: AbortSignal) => Promise<NodeJS.ProcessEnv> = async () => ({}),
): Promise<TestRun | undefined> {
  const log = (line: string) => progress.say(`${title.split(':')[0]?.toLowerCase()}: ${line}`)
  const results = await stage(title, async (limit) => run({ log, signal: limit, env: await prepare(limit) }))
  const runFile: RunFile = (file) => {
    heading(`Second run of ${file}`)
    return run({ log, signal: AbortSignal.any([signal, AbortSignal.timeout(stageTimeoutMs)]), file })
  }
  return results && { results, runFile }
}

async function prepareSite(signal: AbortSignal): Promise<NodeJS.ProcessEnv> {
  const site = await progress.step('Starting a fresh site', () =>
    startEndToEndSite({
      postgresSettings: { fsync: 'off' },
      signal,
      onProgress: (line) => progress.say(`  ${line}`),
    }),
  )
  stops.push(site.stop)
  const browser = await findChromium(progress.say)
  return { ...browser.env, CHROMIUM_PATH: browser.executablePath, ...endToEndEnvironment(site) }
}

async function checksAndBrowser(isBuilt: boolean): Promise<TestRun | undefined> {
  await turboStage(
    'Checks: format, lint, words, boundaries, dead code, settings, types',
    ['types:node', 'types:browser', 'lint', 'words', 'boundaries', 'dead-code', 'settings'],
    { isBuilt: true, concurrency },
  )
  return isBuilt ? testStage('Playwright: end-to-end tests', runPlaywright, prepareSite) : undefined
}

/** Keeps temporary files in memory if they fit: browsers, sites and tests create and delete thousands of them. */
async function keepTemporaryFilesInMemory() {
  const parent = await memoryFolder('test-files', temporaryBytes)
  if (parent === undefined) return
  // Each run has a folder named after its process; a killed one leaves it.
  for (const name of await readdir(parent)) {
    if (!isAlive(Number(name))) await rm(join(parent, name), { recursive: true, force: true })
  }
  const folder = join(parent, String(process.pid))
  await mkdir(folder)
  process.env.TMPDIR = folder
  stops.push(() => rm(folder, { recursive: true, force: true }))
}

async function main(): Promise<Results[]> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(name, () => interrupt('Stopped by a signal.'))
  await watchAncestors(() => interrupt('The command that started the tests has ended.'))
  await keepTemporaryFilesInMemory()

  const isBuilt = await turboStage('Build', ['build'])
  signal.throwIfAborted()
  // The integration and browser tests often wait: beside each other, they leave no core idle.
  const settled = await Promise.allSettled([
    testStage('Vitest: unit and integration tests', runVitest),
    checksAndBrowser(isBuilt),
  ])
  const runs = settled.map((run) => {
    if (run.status === 'rejected') throw run.reason
    return run.value
  })
  signal.throwIfAborted()
  // Nothing else runs beside a file that runs once more.
  const results: Results[] = []
  for (const run of runs.filter((one) => one !== undefined)) {
    const second = await runFailedFilesAgain(run.results, run.runFile)
    results.push(second.results)
    flaky.push(...second.flaky)
  }
  return results
}

/** Repeats the beginning of a failure's message, which is far above the summary. */
function printFailure(failure: Failure) {
  progress.say(`✗ ${nameOf(failure)}`)
  for (const line of failure.message.split('\n').slice(0, messageLines))
    progress.say(`    ${line.slice(0, lineLength)}`)
}

function printSummary(results: Results[]): boolean {
  heading('Summary')
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  const failures = results.flatMap((one) => one.failures)
  const passed = sum(results.map((one) => one.passed))
  const skipped = sum(results.map((one) => one.skipped))
  const failed = failures.length + problems.length
  for (const duration of [...durations, `Whole run: ${formatDuration(performance.now())}`])
    progress.say(duration)
  failures.forEach(printFailure)
  if (skipped > 0) progress.say(`${skipped} skipped`)
  for (const problem of problems) progress.say(`✗ ${problem}`)
  for (const failure of flaky) progress.say(`flaky: ${nameOf(failure)}`)
  // A failed check counts, so that this last line alone shows whether the run succeeded.
  progress.say(`\n${passed} passed, ${failed} failed`)
  return failed === 0 && passed > 0
}

let results: Results[] = []
try {
  results = await main()
} catch (error) {
  problems.push(messageOf(error))
}
await stopAll()
process.exit(signal.aborted ? 130 : printSummary(results) ? 0 : 1)
