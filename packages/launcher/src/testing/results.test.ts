import { describe, expect, test } from 'vitest'
import { addTotals, playwrightResults, vitestResults } from './results.ts'

const vitest = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1, testResults: [] }
const playwright = { stats: { expected: 4, unexpected: 1, flaky: 0, skipped: 2 }, errors: [] }

describe('vitestResults', () => {
  test('passed, failed and skipped tests are counted apart', () => {
    expect(vitestResults(vitest).totals).toEqual({ passed: 3, failed: 1, skipped: 3 })
  })

  test('a file that broke before its first test is a failure', () => {
    const testResults = [
      { name: 'a.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
    ]
    const { totals, failures } = vitestResults({ ...vitest, testResults })
    expect(totals.failed).toBe(2)
    expect(failures).toEqual([{ test: 'a.test.ts', message: 'no such module' }])
  })

  test('a file with failed tests is not counted once more, and its failures are named without colours', () => {
    const failed = {
      status: 'failed',
      fullName: 'sums add up',
      failureMessages: ['\u001B[31mexpected 2\u001B[39m'],
    }
    const passed = { status: 'passed', fullName: 'nothing is nothing', failureMessages: [] }
    const testResults = [
      { name: 'a.test.ts', status: 'failed', message: '', assertionResults: [passed, failed] },
    ]
    const { totals, failures } = vitestResults({ ...vitest, testResults })
    expect(totals.failed).toBe(1)
    expect(failures).toEqual([{ test: 'a.test.ts › sums add up', message: 'expected 2' }])
  })

  test.each([[{}], [null], ['text'], [[]]])('%j is no report', (report) => {
    expect(() => vitestResults(report)).toThrow('in it')
  })
})

describe('playwrightResults', () => {
  test('passed, failed and skipped tests are counted apart', () => {
    expect(playwrightResults(playwright).totals).toEqual({ passed: 4, failed: 1, skipped: 2 })
  })

  test('a test that passed only when repeated has failed', () => {
    const stats = { ...playwright.stats, flaky: 2 }
    expect(playwrightResults({ ...playwright, stats }).totals.failed).toBe(3)
  })

  test('an error outside of any test is a failure', () => {
    const { totals, failures } = playwrightResults({ ...playwright, errors: [{ message: 'no tests found' }] })
    expect(totals.failed).toBe(2)
    expect(failures).toEqual([{ test: 'outside of any test', message: 'no tests found' }])
  })

  test('failures are named by file, suites and title, with the first error', () => {
    const ran = (status: string, ...messages: string[]) => ({
      status,
      results: [{ errors: messages.map((message) => ({ message })) }],
    })
    const specs = [
      { title: 'opens', tests: [ran('expected')] },
      { title: 'closes', tests: [ran('unexpected', 'no button', 'and more')] },
      { title: 'opens again', tests: [ran('flaky', 'too late')] },
    ]
    const suites = [{ title: 'door.spec.ts', suites: [{ title: 'a door', specs }] }]
    expect(playwrightResults({ ...playwright, suites }).failures).toEqual([
      { test: 'door.spec.ts › a door › closes', message: 'no button' },
      { test: 'door.spec.ts › a door › opens again', message: 'too late' },
    ])
  })

  test('half a report is no report', () => {
    expect(() => playwrightResults({ errors: [] })).toThrow('in it')
  })
})

describe('addTotals', () => {
  test('totals add up', () => {
    const one = { passed: 1, failed: 2, skipped: 3 }
    expect(addTotals([one, one])).toEqual({ passed: 2, failed: 4, skipped: 6 })
    expect(addTotals([])).toEqual({ passed: 0, failed: 0, skipped: 0 })
  })
})
