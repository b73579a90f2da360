import { afterEach, describe, expect, test, vi } from 'vitest'
import { projectOf, reportersFor } from './vitest-reports.ts'

afterEach(() => vi.unstubAllEnvs())

describe('reportersFor', () => {
  test('a run by hand writes no report', () => {
    vi.stubEnv('TIDINGS_REPORTS', '')
    expect(reportersFor('/package', 'unit')).toEqual(['default'])
  })

  test('the test command gets a report in the folder of the package', () => {
    vi.stubEnv('TIDINGS_REPORTS', '1')
    expect(reportersFor('/package', 'integration')).toEqual([
      'default',
      ['json', { outputFile: '/package/.reports/integration.json' }],
    ])
  })
})

describe('projectOf', () => {
  test.each([
    [['vitest', 'run', '--project', 'integration'], 'integration'],
    [['vitest', 'run', '--project=integration'], 'integration'],
    [['vitest', 'run'], 'unit'],
    [['vitest', '--project'], 'unit'],
  ])('%j means the project %s', (words, project) => {
    expect(projectOf(words)).toBe(project)
  })
})
