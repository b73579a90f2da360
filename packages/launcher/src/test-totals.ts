/** What a runner counted. A skipped test is neither passed nor failed. */
export type Totals = { passed: number; failed: number; skipped: number }

const noTests: Totals = { passed: 0, failed: 0, skipped: 0 }

/** Totals of several runners together. */
export function addTotals(all: Totals[]): Totals {
  return all.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
    }),
    noTests,
  )
}

/**
 * The totals in a JSON report of Vitest. A file that broke before its first test counts as one failure.
 * Throws when it is no such report.
 */
export function vitestTotals(report: unknown): Totals {
  const files = listAt(report, 'testResults')
  const broken = files.filter((file) => {
    const tests = listAt(file, 'assertionResults')
    return (
      Reflect.get(file, 'status') === 'failed' &&
      !tests.some((test) => Reflect.get(test, 'status') === 'failed')
    )
  })
  return {
    passed: numberAt(report, 'numPassedTests'),
    failed: numberAt(report, 'numFailedTests') + broken.length,
    skipped: numberAt(report, 'numPendingTests') + numberAt(report, 'numTodoTests'),
  }
}

/**
 * The totals in a JSON report of Playwright. A test that passed only when repeated counts as failed, and so does an error
 * outside of any test. Throws when it is no such report.
 */
export function playwrightTotals(report: unknown): Totals {
  const stats = isObject(report) ? Reflect.get(report, 'stats') : undefined
  return {
    passed: numberAt(stats, 'expected'),
    failed: numberAt(stats, 'unexpected') + numberAt(stats, 'flaky') + listAt(report, 'errors').length,
    skipped: numberAt(stats, 'skipped'),
  }
}

function numberAt(value: unknown, key: string): number {
  const number = isObject(value) ? Reflect.get(value, key) : undefined
  if (typeof number !== 'number') throw new Error(`no number '${key}' in it`)
  return number
}

function listAt(value: unknown, key: string): object[] {
  const list = isObject(value) ? Reflect.get(value, key) : undefined
  if (!Array.isArray(list)) throw new Error(`no list '${key}' in it`)
  return list.filter(isObject)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
