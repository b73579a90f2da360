import { stripVTControlCharacters } from 'node:util'

/** What a runner counted. A skipped test is neither passed nor failed. */
export type Totals = { passed: number; failed: number; skipped: number }

/** A test that failed: where it stands with its title, and why, in the runner's words and without colours. */
export type Failure = { test: string; message: string }

/** What one runner's report says. */
export type Results = { totals: Totals; failures: Failure[] }

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
 * What a JSON report of Vitest says. A file that broke before its first test counts as one failure.
 * Throws when it is no such report.
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
 * What a JSON report of Playwright says. A test that passed only when repeated counts as failed, and so does an error outside
 * of any test. Throws when it is no such report.
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
      ...errors.map((error) => failure(['outside of any test'], textAt(error, 'message'))),
      ...playwrightFailures(report, []),
    ],
  }
}

/** The failures of a suite and the suites in it; a suite's first name is its file's. */
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
  return { test: path.join(' › '), message: stripVTControlCharacters(message) }
}

function numberAt(value: unknown, key: string): number {
  const number = isObject(value) ? Reflect.get(value, key) : undefined
  if (typeof number !== 'number') throw new Error(`no number '${key}' in it`)
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
  if (!Array.isArray(list)) throw new Error(`no list '${key}' in it`)
  return list.filter(isObject)
}

function optionalListAt(value: unknown, key: string): object[] {
  return isObject(value) && Array.isArray(Reflect.get(value, key)) ? listAt(value, key) : []
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
