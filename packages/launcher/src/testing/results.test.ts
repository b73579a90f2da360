import { describe, expect, test } from 'vitest'
import { addTotals, playwrightResults, vitestResults } from './results.ts'

const vitest = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1, testResults: [] }
const playwright = { stats: { expected: 4, unexpected: 1, flaky: 0, skipped: 2 }, errors: [] }

describe('vitestResults', () => {
  test('counts passed, failed and skipped tests', () => {
    expect(vitestResults(vitest).totals).toEqual({ passed: 3, failed: 1, skipped: 3 })
  })

  test('counts a file that failed before its first test as a failure', () => {
    const testResults = [
      { name: 'a.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
    ]
    const { totals, failures } = vitestResults({ ...vitest, testResults })
    expect(totals.failed).toBe(2)
    expect(failures).toEqual([{ file: 'a.test.ts', test: 'a.test.ts', message: 'no such module' }])
  })

  test('lists failed tests once, without color codes', () => {
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
    expect(failures).toEqual([{ file: 'a.test.ts', test: 'a.test.ts › sums add up', message: 'expected 2' }])
  })

  test.each([[{}], [null], ['text'], [[]]])('rejects %j', (report) => {
    expect(() => vitestResults(report)).toThrow('it has no')
  })
})

describe('playwrightResults', () => {
  test('counts passed, failed and skipped tests', () => {
    expect(playwrightResults(playwright).totals).toEqual({ passed: 4, failed: 1, skipped: 2 })
  })

  test('counts a flaky test as failed', () => {
    const stats = { ...playwright.stats, flaky: 2 }
    expect(playwrightResults({ ...playwright, stats }).totals.failed).toBe(3)
  })

  test('counts an error outside tests as a failure', () => {
    const { totals, failures } = playwrightResults({ ...playwright, errors: [{ message: 'no tests found' }] })
    expect(totals.failed).toBe(2)
    expect(failures).toEqual([{ file: null, test: 'outside tests', message: 'no tests found' }])
  })

  test('names failures by file, suites and title, with the first error', () => {
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
      { file: 'door.spec.ts', test: 'door.spec.ts › a door › closes', message: 'no button' },
      { file: 'door.spec.ts', test: 'door.spec.ts › a door › opens again', message: 'too late' },
    ])
  })

  test('rejects an incomplete report', () => {
    expect(() => playwrightResults({ errors: [] })).toThrow('it has no')
  })
})

describe('addTotals', () => {
  test('adds the counts', () => {
    const one = { passed: 1, failed: 2, skipped: 3 }
    expect(addTotals([one, one])).toEqual({ passed: 2, failed: 4, skipped: 6 })
    expect(addTotals([])).toEqual({ passed: 0, failed: 0, skipped: 0 })
  })
})
