import { describe, expect, it } from 'vitest'
import { describePlan, isBroad, parsePlans, worstOfEach } from './query-plans.ts'

function logged(ms: string, query: string, plan: object): string {
  const json = JSON.stringify({ 'Query Text': query, Plan: plan }, null, 2)
  const indented = json.replaceAll('\n', '\n\t')
  return `2026-11-20 10:00:00 UTC [71] LOG:  duration: ${ms} ms  plan:\n\t${indented}\n`
}

const tables = /\bmemo\b/

const scan = {
  'Node Type': 'Index Scan',
  'Relation Name': 'memo',
  'Index Name': 'memo_key',
  'Actual Rows': 8,
}

describe('parsePlans', () => {
  it('finds each plan between the other lines of the log', () => {
    const log = `LOG:  ready\n${logged('0.17', 'SELECT title FROM memo', scan)}LOG:  checkpoint\n`
    expect(parsePlans(log, tables)).toEqual([
      { ms: 0.17, plan: { 'Query Text': 'SELECT title FROM memo', Plan: scan } },
    ])
  })

  it('leaves out maintenance queries', () => {
    expect(parsePlans(logged('0.01', 'SELECT 1', { 'Node Type': 'Result' }), tables)).toEqual([])
  })
})

describe('worstOfEach', () => {
  it('keeps the run of each query that read the most pages', () => {
    const log = [
      logged('0.1', 'SELECT title FROM memo', { ...scan, 'Shared Hit Blocks': 3 }),
      logged('9.1', 'SELECT title FROM memo', { ...scan, 'Shared Hit Blocks': 90 }),
      logged('0.2', 'SELECT title FROM memo', { ...scan, 'Shared Hit Blocks': 4 }),
      logged('0.3', 'SELECT rank FROM memo', scan),
    ].join('')
    expect(worstOfEach(parsePlans(log, tables)).map(({ ms }) => ms)).toEqual([9.1, 0.3])
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

  it('lists the steps that read a table, with their index and pages', () => {
    expect(lines.slice(1)).toEqual(['        Index Scan of memo by memo_key: 8 rows, 6 pages'])
  })
})

describe('isBroad', () => {
  const broad = (node: object) =>
    parsePlans(logged('1', 'SELECT * FROM memo', node), tables).map((query) => isBroad(query))

  it.each([
    { title: 'a few pages of an index', node: { ...scan, 'Shared Hit Blocks': 6 }, expected: false },
    { title: 'a whole table', node: { 'Node Type': 'Seq Scan', 'Relation Name': 'memo' }, expected: true },
    { title: 'most of an index', node: { ...scan, 'Shared Read Blocks': 9_000 }, expected: true },
    {
      title: 'nothing, but writing a lot',
      node: { 'Node Type': 'ModifyTable', 'Relation Name': 'memo', 'Shared Hit Blocks': 900 },
      expected: false,
    },
    {
      title: 'a whole table under another step',
      node: { 'Node Type': 'Sort', Plans: [{ 'Node Type': 'Seq Scan', 'Relation Name': 'memo' }] },
      expected: true,
    },
  ])('reading $title: $expected', ({ node, expected }) => {
    expect(broad(node)).toEqual([expected])
  })
})
