import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { expectedReports, readReport } from './reports.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-reports-'))
})

afterEach(() => rm(folder, { recursive: true }))

describe('expectedReports', () => {
  test('returns one report per package with the task', async () => {
    const reports = await expectedReports('test:integration')
    expect(reports).toContain(join(import.meta.dirname, '../../.reports/integration.json'))
    expect(reports.some((path) => path.includes('/contracts/'))).toBe(false)
  })
})

describe('readReport', () => {
  test('returns a problem for a missing report', async () => {
    expect(await readReport(join(folder, 'unit.json'))).toMatchObject({
      problem: expect.stringContaining('missing'),
    })
  })

  test('returns a problem for an incomplete report', async () => {
    const path = join(folder, 'unit.json')
    await writeFile(path, '{"numPassedTests": 3')
    expect(await readReport(path)).toMatchObject({ problem: expect.stringContaining('invalid') })
  })

  test('returns the totals of a report', async () => {
    const path = join(folder, 'unit.json')
    await writeFile(
      path,
      JSON.stringify({
        numPassedTests: 3,
        numFailedTests: 0,
        numPendingTests: 0,
        numTodoTests: 0,
        testResults: [],
      }),
    )
    expect(await readReport(path)).toMatchObject({ totals: { passed: 3, failed: 0, skipped: 0 } })
  })
})
