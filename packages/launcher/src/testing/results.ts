import { stripVTControlCharacters } from 'node:util'

/** The counts of a test runner. */
export type Totals = { passed: number; failed: number; skipped: number }

/**
 * A failed test with its file and title, and the runner's message without color codes. `file` is as the runner names it,
 * and null for an error outside of files; `test` is the file alone if it failed before its first test.
 */
export type Failure = { file: string | null; test: string; message: string }

export type Results = { totals: Totals; failures: Failure[] }

const noTests: Totals = { passed: 0, failed: 0, skipped: 0 }

/** Adds the totals of several runners. */
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
 * Reads a JSON report of Vitest. A file that failed before its first test counts as one failure.
 * Throws when it isn't such a report.
 */
export function vitestResults(report: unknown): Results {
  const files = listAt(report, 'testResults').map((file) => ({
    path: textAt(file, 'name'),
    broken: textAt(file, 'status') === 'failed',
    message: textAt(file, 'message'),
    failed: listAt(file, 'assertionResults').filter((test) => textAt(test, 'status') === 'failed'),
  }))
  const broken = files.filter((file) => file.broken && file.failed.length === 0)
  return {
    totals: {
      passed: numberAt(report, 'numPassedTests'),
      failed: numberAt(report, 'numFailedTests') + broken.length,
      skipped: numberAt(report, 'numPendingTests') + numberAt(report, 'numTodoTests'),
    },
    failures: [
      ...broken.map((file) => failure([file.path], file.message)),
      ...files.flatMap((file) =>
        file.failed.map((test) =>
          failure([file.path, textAt(test, 'fullName')], firstText(test, 'failureMessages')),
        ),
      ),
    ],
  }
}

/**
 * Reads a JSON report of Playwright. A flaky test and an error outside tests count as failures.
 * Throws when it isn't such a report.
 */
export function playwrightResults(report: unknown): Results {
  const stats = isObject(report) ? Reflect.get(report, 'stats') : undefined
  const errors = listAt(report, 'errors')
  return {
    totals: {
      passed: numberAt(stats, 'expected'),
      failed: numberAt(stats, 'unexpected') + numberAt(stats, 'flaky') + errors.length,
      skipped: numberAt(stats, 'skipped'),
    },
    failures: [
      ...errors.map((error) => ({
        ...failure(['outside tests'], textAt(error, 'message')),
        file: null,
      })),
      ...playwrightFailures(report, []),
    ],
  }
}

/** Returns the failures of a suite and its inner suites. The outermost title is the file. */
function playwrightFailures(suite: unknown, path: string[]): Failure[] {
  const inner = optionalListAt(suite, 'suites').flatMap((one) =>
    playwrightFailures(one, [...path, textAt(one, 'title')]),
  )
  const own = optionalListAt(suite, 'specs').flatMap((spec) =>
    optionalListAt(spec, 'tests')
      .filter((test) => ['unexpected', 'flaky'].includes(textAt(test, 'status')))
      .map((test) => {
        const errors = optionalListAt(test, 'results').flatMap((result) => optionalListAt(result, 'errors'))
        return failure([...path, textAt(spec, 'title')], errors[0] ? textAt(errors[0], 'message') : '')
      }),
  )
  return [...own, ...inner]
}

function failure(path: string[], message: string): Failure {
  return {
    file: path[0] ?? null,
    test: path.join(' › '),
    message: stripVTControlCharacters(message),
  }
}

function numberAt(value: unknown, key: string): number {
  const number = isObject(value) ? Reflect.get(value, key) : undefined
  if (typeof number !== 'number') throw new Error(`it has no number '${key}'`)
  return number
}

function textAt(value: unknown, key: string): string {
  const text = isObject(value) ? Reflect.get(value, key) : undefined
  return typeof text === 'string' ? text : ''
}

function firstText(value: object, key: string): string {
  const list = Reflect.get(value, key)
  return Array.isArray(list) && typeof list[0] === 'string' ? list[0] : ''
}

function listAt(value: unknown, key: string): object[] {
  const list = isObject(value) ? Reflect.get(value, key) : undefined
  if (!Array.isArray(list)) throw new Error(`it has no list '${key}'`)
  return list.filter(isObject)
}

function optionalListAt(value: unknown, key: string): object[] {
  return isObject(value) && Array.isArray(Reflect.get(value, key)) ? listAt(value, key) : []
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
