import { describe, expect, it } from 'vitest'
import { describePlan, parsePlans } from './query-plans.ts'

function logged(ms: string, query: string, plan: object): string {
  const json = JSON.stringify({ 'Query Text': query, Plan: plan }, null, 2)
  const indented = json.replaceAll('\n', '\n\t')
  return `2026-11-20 10:00:00 UTC [71] LOG:  duration: ${ms} ms  plan:\n\t${indented}\n`
}

const scan = {
  'Node Type': 'Index Scan',
  'Relation Name': 'memo',
  'Index Name': 'memo_key',
  'Actual Rows': 8,
}

describe('parsePlans', () => {
  it('finds each plan between the other lines of the log', () => {
    const log = `LOG:  ready\n${logged('0.17', 'SELECT title FROM memo', scan)}LOG:  checkpoint\n`
    expect(parsePlans(log)).toEqual([
      { ms: 0.17, plan: { 'Query Text': 'SELECT title FROM memo', Plan: scan } },
    ])
  })

  it('leaves out what the site asks for its own housekeeping', () => {
    expect(parsePlans(logged('0.01', 'SELECT 1', { 'Node Type': 'Result' }))).toEqual([])
  })
})

describe('describePlan', () => {
  const sorted = {
    'Node Type': 'Sort',
    Plans: [{ ...scan, 'Shared Hit Blocks': 4, 'Shared Read Blocks': 2 }],
  }
  const lines = describePlan({
    ms: 0.171,
    plan: { 'Query Text': 'SELECT "title"\n  FROM memo', Plan: sorted },
  })

  it('begins with the time and the query in one line', () => {
    expect(lines[0]).toBe('  0.17 ms  SELECT title FROM memo')
  })

  it('tells of the steps that touch a table, with their index and pages', () => {
    expect(lines.slice(1)).toEqual(['        Index Scan of memo by memo_key: 8 rows, 6 pages'])
  })
})
