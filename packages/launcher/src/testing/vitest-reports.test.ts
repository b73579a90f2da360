import { afterEach, describe, expect, test, vi } from 'vitest'
import { projectOf, reportersFor } from './vitest-reports.ts'

afterEach(() => vi.unstubAllEnvs())

describe('reportersFor', () => {
  test('writes no report in a manual run', () => {
    vi.stubEnv('TIDINGS_REPORTS', '')
    expect(reportersFor('/package', 'unit')).toEqual(['default'])
  })

  test('writes a report in the package for the test command', () => {
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
  ])('%j returns %s', (args, project) => {
    expect(projectOf(args)).toBe(project)
  })
})
