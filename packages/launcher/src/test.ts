import { watchAncestors } from './process/ancestors.ts'
import { runTurbo } from './process/turbo.ts'
import { createProgress } from './progress.ts'
import { repositoryRoot } from './repository.ts'
import { startTestDatabase } from './testing/database.ts'
import { runEndToEnd, startEndToEndSite } from './testing/end-to-end.ts'
import { clearReports, endToEndReport, expectedReports, type Outcome, readReport } from './testing/reports.ts'
import { addTotals, type Failure, playwrightResults } from './testing/results.ts'
import { adminUrlSetting } from './testing/server.ts'

const progress = createProgress()
/** Ends a stage that hangs. */
const stageTimeoutMs = 15 * 60_000
/** The part of a failure's message that the summary repeats. */
const messageLines = 12
const lineLength = 240

const interruption = new AbortController()
const { signal } = interruption
const stops: (() => Promise<void>)[] = []
/** Failures that no test runner counts: a check, a build, a missing report. */
const problems: string[] = []
const outcomes: Outcome[] = []

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

async function stage(title: string, work: () => Promise<boolean>): Promise<boolean> {
  signal.throwIfAborted()
  heading(title)
  try {
    if (await work()) return true
    problems.push(`${title}: failed (see above)`)
  } catch (error) {
    progress.say(error instanceof Error ? error.message : String(error))
    problems.push(`${title}: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
  }
  return false
}

async function turboStage(title: string, tasks: string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  return stage(title, async () => {
    const limit = AbortSignal.timeout(stageTimeoutMs)
    const run = { live: true, keepGoing: true, signal: AbortSignal.any([signal, limit]), env }
    const { succeeded } = await runTurbo(tasks, run)
    if (limit.aborted)
      throw new Error(`stopped, because it took longer than ${stageTimeoutMs / 60_000} minutes`)
    return succeeded
  })
}

/** Runs the tests of one kind. Their reports count the failures. */
async function testStage(title: string, task: 'test:unit' | 'test:integration', env: NodeJS.ProcessEnv) {
  const before = problems.length
  const succeeded = await turboStage(title, [task], { ...env, TIDINGS_REPORTS: '1' })
  const read = await Promise.all((await expectedReports(task)).map((path) => readReport(path)))
  outcomes.push(...read)
  const explained = read.some((outcome) => 'problem' in outcome || outcome.totals.failed > 0)
  if (!succeeded && explained) problems.length = before
}

async function endToEndStage() {
  const before = problems.length
  const succeeded = await stage('End-to-end tests', async () => {
    const site = await progress.step('Starting a fresh site', () =>
      startEndToEndSite({
        postgresSettings: { fsync: 'off' },
        signal,
        onProgress: (line) => progress.say(`  ${line}`),
      }),
    )
    stops.push(site.stop)
    return runEndToEnd(site, progress.say, signal)
  })
  const outcome = await readReport(endToEndReport, playwrightResults)
  outcomes.push(outcome)
  if (!succeeded && ('problem' in outcome || outcome.totals.failed > 0)) problems.length = before
}

async function main() {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(name, () => interrupt('Stopped by a signal.'))
  await watchAncestors(() => interrupt('The command that started the tests has ended.'))
  await clearReports()

  await turboStage('Checks: format, lint, words, boundaries, dead code, settings, types', [
    'lint',
    'words',
    'boundaries',
    'dead-code',
    'settings',
    'types',
  ])
  await testStage('Unit tests', 'test:unit', {})
  signal.throwIfAborted()
  const database = await progress.step('Preparing a test database', () => startTestDatabase(progress.say))
  stops.push(database.stop)
  await testStage('Integration tests', 'test:integration', { [adminUrlSetting]: database.adminUrl })
  if (await turboStage('Build', ['build'])) await endToEndStage()
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
  for (const failure of results.flatMap(({ failures }) => failures)) printFailure(failure)
  if (skipped > 0) progress.say(`${skipped} skipped`)
  for (const problem of problems) progress.say(`✗ ${problem}`)
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
