import type { Reporter, Suite, TestError } from '@playwright/test/reporter'
import { failureOf, writeResults } from '@tidings/launcher/test-results'

/** Reports what Playwright ran to the test command. A flaky test and an error outside tests count as failures. */
export default class ResultsReporter implements Reporter {
  #suite: Suite | null = null
  readonly #errors: TestError[] = []

  printsToStdio(): boolean {
    return false
  }

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite
  }

  onError(error: TestError): void {
    this.#errors.push(error)
  }

  onEnd(): void {
    const tests = this.#suite?.allTests() ?? []
    const failed = tests.filter((test) => ['unexpected', 'flaky'].includes(test.outcome()))
    const count = (outcome: 'expected' | 'skipped') =>
      tests.filter((test) => test.outcome() === outcome).length
    writeResults({
      passed: count('expected'),
      skipped: count('skipped'),
      failures: [
        ...this.#errors.map(({ message }) => failureOf(null, 'outside tests', message)),
        // The first three titles are of the run, the project and the file.
        ...failed.map((test) =>
          failureOf(
            test.location.file,
            test.titlePath().slice(3).join(' › '),
            test.results[0]?.error?.message,
          ),
        ),
      ],
    })
  }
}
