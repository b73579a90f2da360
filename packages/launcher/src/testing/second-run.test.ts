import { describe, expect, test } from 'vitest'
import { failureOf, type Results } from './results.ts'
import { runFailedFilesAgain } from './second-run.ts'

const failed = (file: string | null, title: string) => ({ ...failureOf(null, title, 'no'), file })
const resultsOf = (passed: number, ...failures: Results['failures']): Results => ({
  passed,
  skipped: 1,
  failures,
})
const passing = async () => resultsOf(4)

describe('runFailedFilesAgain', () => {
  test('counts what passes the second time as passed, and names it', async () => {
    const runs: string[] = []
    const failures = [failed('a.test.ts', 'adds'), failed('a.test.ts', 'takes away')]
    const { results, flaky } = await runFailedFilesAgain(resultsOf(3, ...failures), async (file) => {
      runs.push(file)
      return passing()
    })
    expect(runs).toEqual(['a.test.ts'])
    expect(flaky).toEqual(failures)
    expect(results).toEqual(resultsOf(5))
  })

  test('counts the tests of a file that had failed before its first test', async () => {
    const broken = failed('a.test.ts', '')
    expect(await runFailedFilesAgain(resultsOf(3, broken), passing)).toEqual({
      results: resultsOf(7),
      flaky: [broken],
    })
  })

  test.each([
    ['fails again', async () => resultsOf(3, failed('a.test.ts', 'adds'))],
    ['fails elsewhere', async () => resultsOf(3, failed('a.test.ts', 'takes away'))],
    ['has no results', async () => Promise.reject(new Error('no test ran'))],
  ])('keeps the failures of a file that %s', async (_how, again) => {
    const [kept, flaky] = [failed('a.test.ts', 'adds'), failed('b.test.ts', 'opens')]
    const first = resultsOf(3, kept, flaky)
    expect(await runFailedFilesAgain(first, (file) => (file === 'a.test.ts' ? again() : passing()))).toEqual({
      results: resultsOf(4, kept),
      flaky: [flaky],
    })
  })

  test('runs nothing for an error outside of files, or for many files', async () => {
    const many = [1, 2, 3, 4, 5, 6, 7].map((number) => failed(`${number}.test.ts`, 'adds'))
    const runs: string[] = []
    const runFile = async (file: string) => {
      runs.push(file)
      return passing()
    }
    for (const first of [resultsOf(2, failed(null, 'outside tests')), resultsOf(1, ...many)])
      expect(await runFailedFilesAgain(first, runFile)).toEqual({ results: first, flaky: [] })
    expect(runs).toEqual([])
  })
})
