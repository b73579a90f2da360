import type { Outcome } from './reports.ts'
import type { Results, Totals } from './results.ts'

/** Runs one file of a report's tests alone, and returns its report. `report` is the name of the outcome. */
export type RunFile = (report: string, file: string) => Promise<Outcome>

/** More files than these don't fail by chance. */
const maxFiles = 6

/**
 * Runs each file that failed once more. What failed in a file that passes then counts as passed, and is returned as
 * flaky. A file that fails again keeps its failures.
 */
export async function runFailedFilesAgain(
  outcomes: readonly Outcome[],
  runFile: RunFile,
): Promise<{ outcomes: Outcome[]; flaky: string[] }> {
  const failed = outcomes.flatMap((outcome) => failedFiles(outcome).map((file) => ({ outcome, file })))
  if (failed.length > maxFiles) return { outcomes: [...outcomes], flaky: [] }
  const current = new Map(outcomes.map((outcome) => [outcome.name, outcome]))
  const flaky: string[] = []
  for (const { outcome, file } of failed) {
    const second = await runFile(outcome.name, file)
    const first = current.get(outcome.name)
    if (first === undefined || 'problem' in first || !hasPassed(second)) continue
    flaky.push(...first.failures.filter((failure) => failure.file === file).map(({ test }) => test))
    current.set(outcome.name, { name: outcome.name, ...withPassed(first, file, second.totals) })
  }
  return { outcomes: [...current.values()], flaky }
}

function failedFiles(outcome: Outcome): string[] {
  if ('problem' in outcome) return []
  const files = outcome.failures.flatMap(({ file }) => (file === null ? [] : [file]))
  return [...new Set(files)]
}

function hasPassed(outcome: Outcome): outcome is { name: string } & Results {
  return 'totals' in outcome && outcome.totals.failed === 0 && outcome.totals.passed > 0
}

function withPassed({ totals, failures }: Results, file: string, second: Totals): Results {
  const others = failures.filter((failure) => failure.file !== file)
  const failed = failures.length - others.length
  // A file that failed before its first test has none of its tests in the first totals.
  const isMissing = failures.some(({ test }) => test === file)
  const passed = totals.passed + (isMissing ? second.passed : failed)
  return { totals: { ...totals, passed, failed: totals.failed - failed }, failures: others }
}
