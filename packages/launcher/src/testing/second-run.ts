import type { Failure, Results } from './results.ts'

/** Runs one file of the tests alone. */
export type RunFile = (file: string) => Promise<Results>

/** More files than these don't fail by chance. */
const maxFiles = 6

/**
 * Runs each file that failed once more. Its failures count as passed if it then passes, and are returned as flaky. A file
 * that fails again, or can't be run, keeps its failures.
 */
export async function runFailedFilesAgain(
  first: Results,
  runFile: RunFile,
): Promise<{ results: Results; flaky: Failure[] }> {
  const files = new Set(first.failures.flatMap(({ file }) => file ?? []))
  const flaky: Failure[] = []
  let results = first
  for (const file of files.size > maxFiles ? [] : files) {
    const second = await runFile(file).catch(() => null)
    if (second === null || second.failures.length > 0) continue
    const passed = results.failures.filter((failure) => failure.file === file)
    flaky.push(...passed)
    // A file that failed before its first test has none of its tests in the first results.
    const isMissing = passed.some(({ title }) => title === '')
    results = {
      ...results,
      passed: results.passed + (isMissing ? second.passed : passed.length),
      failures: results.failures.filter((failure) => failure.file !== file),
    }
  }
  return { results, flaky }
}
