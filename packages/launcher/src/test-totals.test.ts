import { describe, expect, test } from 'vitest'
import { addTotals, playwrightTotals, vitestTotals } from './test-totals.ts'

const vitest = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1, testResults: [] }
const playwright = { stats: { expected: 4, unexpected: 1, flaky: 0, skipped: 2 }, errors: [] }

describe('vitestTotals', () => {
  test('passed, failed and skipped tests are counted apart', () => {
    expect(vitestTotals(vitest)).toEqual({ passed: 3, failed: 1, skipped: 3 })
  })

  test('a file that broke before its first test is a failure', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }]
    expect(vitestTotals({ ...vitest, testResults }).failed).toBe(2)
  })

  test('a file with failed tests is not counted once more', () => {
    const testResults = [{ status: 'failed', assertionResults: [{ status: 'failed' }] }]
    expect(vitestTotals({ ...vitest, testResults }).failed).toBe(1)
  })

  test.each([[{}], [null], ['text'], [[]]])('%j is no report', (report) => {
    expect(() => vitestTotals(report)).toThrow('in it')
  })
})

describe('playwrightTotals', () => {
  test('passed, failed and skipped tests are counted apart', () => {
    expect(playwrightTotals(playwright)).toEqual({ passed: 4, failed: 1, skipped: 2 })
  })

  test('a test that passed only when repeated has failed', () => {
    expect(playwrightTotals({ ...playwright, stats: { ...playwright.stats, flaky: 2 } }).failed).toBe(3)
  })

  test('an error outside of any test is a failure', () => {
    expect(playwrightTotals({ ...playwright, errors: [{ message: 'no tests found' }] }).failed).toBe(2)
  })

  test('half a report is no report', () => {
    expect(() => playwrightTotals({ errors: [] })).toThrow('in it')
  })
})

describe('addTotals', () => {
  test('totals add up', () => {
    const one = { passed: 1, failed: 2, skipped: 3 }
    expect(addTotals([one, one])).toEqual({ passed: 2, failed: 4, skipped: 6 })
    expect(addTotals([])).toEqual({ passed: 0, failed: 0, skipped: 0 })
  })
})
