import { describe, expect, test } from 'vitest'
import type { Outcome } from './reports.ts'
import type { Failure } from './results.ts'
import { runFailedFilesAgain } from './second-run.ts'

const failureOf = (file: string | null, title: string): Failure => ({
  file,
  test: file === null ? title : `${file} › ${title}`,
  message: 'no',
})
const outcomeOf = (name: string, passed: number, ...failures: Failure[]): Outcome => ({
  name,
  totals: { passed, failed: failures.length, skipped: 1 },
  failures,
})
const passing = async (): Promise<Outcome> => outcomeOf('second', 4)

describe('runFailedFilesAgain', () => {
  test('counts what passes the second time as passed, and names it', async () => {
    const runs: string[] = []
    const { outcomes, flaky } = await runFailedFilesAgain(
      [outcomeOf('unit', 3, failureOf('a.test.ts', 'adds'), failureOf('a.test.ts', 'takes away'))],
      async (report, file) => {
        runs.push(`${report} ${file}`)
        return passing()
      },
    )
    expect(runs).toEqual(['unit a.test.ts'])
    expect(flaky).toEqual(['a.test.ts › adds', 'a.test.ts › takes away'])
    expect(outcomes).toEqual([outcomeOf('unit', 5)])
  })

  test('counts the tests of a file that had failed before its first test', async () => {
    const broken = { file: 'a.test.ts', test: 'a.test.ts', message: 'no' }
    const { outcomes, flaky } = await runFailedFilesAgain([outcomeOf('unit', 3, broken)], passing)
    expect(outcomes).toEqual([outcomeOf('unit', 7)])
    expect(flaky).toEqual(['a.test.ts'])
  })

  test.each<[string, Outcome]>([
    ['fails again', outcomeOf('second', 3, failureOf('a.test.ts', 'adds'))],
    ['fails elsewhere', outcomeOf('second', 3, failureOf('a.test.ts', 'takes away'))],
    ['has no report', { name: 'second', problem: 'is missing' }],
    ['runs no test', outcomeOf('second', 0)],
  ])('keeps the failures of a file that %s', async (_how, second) => {
    const first = [
      outcomeOf('unit', 3, failureOf('a.test.ts', 'adds')),
      outcomeOf('e2e', 2, failureOf('b', 'opens')),
    ]
    const { outcomes, flaky } = await runFailedFilesAgain(first, async (report) =>
      report === 'unit' ? second : passing(),
    )
    expect(outcomes).toEqual([first[0], outcomeOf('e2e', 3)])
    expect(flaky).toEqual(['b › opens'])
  })

  test('runs nothing for an error outside of files, a missing report, or many files', async () => {
    const many = [1, 2, 3, 4, 5, 6, 7].map((number) => failureOf(`${number}.test.ts`, 'adds'))
    const lost: Outcome = { name: 'lost', problem: 'is missing' }
    const runFile = async () => {
      throw new Error('ran a file')
    }
    for (const first of [
      [outcomeOf('e2e', 2, failureOf(null, 'no site')), lost],
      [outcomeOf('unit', 1, ...many)],
    ])
      expect(await runFailedFilesAgain(first, runFile)).toEqual({ outcomes: first, flaky: [] })
  })
})
