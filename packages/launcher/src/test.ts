import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { watchAncestors } from './process/ancestors.ts'
import { memoryFolder } from './process/memory-folder.ts'
import { isAlive } from './process/process-facts.ts'
import { cacheDir, repositoryRoot } from './process/repository.ts'
import { runTurbo, type TurboOptions } from './process/turbo.ts'
import { createProgress, formatDuration } from './progress.ts'
import { startTestDatabase } from './testing/database.ts'
import { runEndToEnd, startEndToEndSite } from './testing/end-to-end.ts'
import { clearReports, endToEndReport, expectedReports, type Outcome, readReport } from './testing/reports.ts'
import { addTotals, type Failure, playwrightResults } from './testing/results.ts'
import { runEndToEndFile, runVitestFile } from './testing/run-file.ts'
import { runFailedFilesAgain } from './testing/second-run.ts'
import { adminUrlSetting } from './testing/server.ts'

// Many short programs start from the same sources: Node compiles each file once.
process.env.NODE_COMPILE_CACHE ??= join(cacheDir, 'compile')

const progress = createProgress()
/** Room for the temporary files of a run. */
const temporaryBytes = 4_000_000_000
/** Ends a stage that hangs. */
const stageTimeoutMs = 30 * 60_000
/** How many checks or packages' unit tests run at once: each uses about one core, and other stages the rest. */
const concurrency = '50%'
/** The part of a failure's message that the summary repeats. */
const messageLines = 12
const lineLength = 240

/** Names the test database to Vitest, once it runs. */
let databaseEnv: Record<string, string> = {}

const interruption = new AbortController()
const { signal } = interruption
const stops: (() => Promise<void>)[] = []
/** Failures that no test runner counts: a check, a build, a missing report. */
const problems: string[] = []
const outcomes: Outcome[] = []
/** Tests that failed, and passed when their file ran once more. */
const flaky: string[] = []
/** How long each stage took. */
const durations: string[] = []

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

/** Runs a stage and returns its problem, if it has one. */
async function stage(title: string, work: () => Promise<boolean>): Promise<string | undefined> {
  signal.throwIfAborted()
  heading(title)
  const since = performance.now()
  try {
    return (await work()) ? undefined : `${title}: failed (see above)`
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    progress.say(message)
    return `${title}: ${message.split('\n')[0]}`
  } finally {
    durations.push(`${title.split(':')[0]}: ${formatDuration(performance.now() - since)}`)
  }
}

async function turboStage(title: string, tasks: string[], options: TurboOptions = {}) {
  return stage(title, async () => {
    const limit = AbortSignal.timeout(stageTimeoutMs)
    const ends = AbortSignal.any([signal, limit])
    const { succeeded } = await runTurbo(tasks, { ...options, live: true, keepGoing: true, signal: ends })
    if (limit.aborted)
      throw new Error(`stopped, because it took longer than ${stageTimeoutMs / 60_000} minutes`)
    return succeeded
  })
}

function report(problem: string | undefined) {
  if (problem !== undefined) problems.push(problem)
}

/** Reports the problem of a test stage, unless the failures in its reports explain it. */
function reportTests(problem: string | undefined, read: Outcome[]) {
  outcomes.push(...read)
  const isExplained = read.some((outcome) => 'problem' in outcome || outcome.totals.failed > 0)
  if (!isExplained) report(problem)
}

/** Runs the tests of one kind. Their reports count the failures. */
async function testStage(title: string, task: 'test:unit' | 'test:integration', options: TurboOptions) {
  const env = { ...options.env, TIDINGS_REPORTS: '1' }
  const problem = await turboStage(title, [task], { ...options, isBuilt: true, env })
  reportTests(problem, await Promise.all((await expectedReports(task)).map((path) => readReport(path))))
}

async function vitestStages() {
  await testStage('Unit tests', 'test:unit', { concurrency })
  const database = await progress.step('Preparing a test database', () => startTestDatabase(progress.say))
  stops.push(database.stop)
  databaseEnv = { [adminUrlSetting]: database.adminUrl }
  await testStage('Integration tests', 'test:integration', { env: databaseEnv })
}

async function endToEndStage() {
  const problem = await stage('End-to-end tests', async () => {
    const site = await progress.step('Starting a fresh site', () =>
      startEndToEndSite({
        postgresSettings: { fsync: 'off' },
        signal,
        onProgress: (line) => progress.say(`  ${line}`),
      }),
    )
    stops.push(site.stop)
    return runEndToEnd(site, (line) => progress.say(`end-to-end: ${line}`), signal)
  })
  reportTests(problem, [await readReport(endToEndReport, playwrightResults)])
}

async function checksAndBrowser(isBuilt: boolean) {
  report(
    await turboStage(
      'Checks: format, lint, words, boundaries, dead code, settings, types',
      ['types:node', 'types:browser', 'lint', 'words', 'boundaries', 'dead-code', 'settings'],
      { isBuilt: true, concurrency },
    ),
  )
  if (isBuilt) await endToEndStage()
}

/** Runs each file with failures once more, when nothing else runs beside it. */
async function secondRun() {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(stageTimeoutMs)])
  const options = { signal: limit, log: (line: string) => progress.say(`second run: ${line}`) }
  const result = await runFailedFilesAgain(outcomes, async (name, file) => {
    heading(`Second run of ${file.replace(`${repositoryRoot}/`, '')}`)
    const path = join(repositoryRoot, name)
    if (path === endToEndReport) return runEndToEndFile(file, options)
    return runVitestFile(path, file, { ...options, env: databaseEnv })
  })
  outcomes.splice(0, outcomes.length, ...result.outcomes)
  flaky.push(...result.flaky)
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

async function main() {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(name, () => interrupt('Stopped by a signal.'))
  await watchAncestors(() => interrupt('The command that started the tests has ended.'))
  await clearReports()
  await keepTemporaryFilesInMemory()

  const buildProblem = await turboStage('Build', ['build'])
  report(buildProblem)
  signal.throwIfAborted()
  // The integration and browser tests often wait: beside each other, they leave no core idle.
  const results = await Promise.allSettled([vitestStages(), checksAndBrowser(buildProblem === undefined)])
  for (const result of results) if (result.status === 'rejected') throw result.reason
  signal.throwIfAborted()
  await secondRun()
}

/** Repeats the beginning of a failure's message, which is far above the summary. */
function printFailure({ test, message }: Failure) {
  progress.say(`✗ ${test.replace(`${repositoryRoot}/`, '')}`)
  for (const line of message.split('\n').slice(0, messageLines))
    progress.say(`    ${line.slice(0, lineLength)}`)
}

function printSummary(): boolean {
  heading('Summary')
  for (const outcome of outcomes) {
    if ('problem' in outcome) problems.push(`${outcome.name} ${outcome.problem}`)
    else progress.say(`${outcome.name}: ${outcome.totals.passed} passed, ${outcome.totals.failed} failed`)
  }
  const results = outcomes.filter((outcome) => 'totals' in outcome)
  const { passed, failed, skipped } = addTotals(results.map(({ totals }) => totals))
  for (const duration of [...durations, `Whole run: ${formatDuration(performance.now())}`])
    progress.say(duration)
  for (const failure of results.flatMap(({ failures }) => failures)) printFailure(failure)
  if (skipped > 0) progress.say(`${skipped} skipped`)
  for (const problem of problems) progress.say(`✗ ${problem}`)
  for (const test of flaky) progress.say(`flaky: ${test.replace(`${repositoryRoot}/`, '')}`)
  // A failed check counts, so that this last line alone shows whether the run succeeded.
  progress.say(`\n${passed} passed, ${failed + problems.length} failed`)
  return failed + problems.length === 0 && passed > 0
}

try {
  await main()
} catch (error) {
  problems.push(error instanceof Error ? error.message : String(error))
}
await stopAll()
process.exit(signal.aborted ? 130 : printSummary() ? 0 : 1)
