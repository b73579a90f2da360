import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openJournal } from './journal.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

function open() {
  const kept = new Map<string, unknown>()
  const journal = openJournal({
    directory,
    restore: (name, json) => kept.set(name, JSON.parse(json)),
    current: () => kept,
  })
  return { journal, kept }
}

describe('the journal', () => {
  test('restores the last value of each name, in the order of their first writes', () => {
    const { journal } = open()
    journal.write('one', { value: 'with spaces\nand lines' })
    journal.write('two', 2)
    journal.write('three', 3)
    journal.flush()
    journal.write('one', 1)
    journal.write('two', undefined)
    journal.flush()
    expect(Array.from(open().kept)).toEqual([
      ['one', 1],
      ['three', 3],
    ])
  })

  test('ignores an incomplete last line', () => {
    const { journal } = open()
    journal.write('whole', 1)
    journal.flush()
    appendFileSync(join(directory, 'journal.jsonl'), 'broken {"val')
    const { journal: next, kept } = open()
    expect(Array.from(kept)).toEqual([['whole', 1]])
    next.write('after', 2)
    next.flush()
    expect(Array.from(open().kept.keys())).toEqual(['whole', 'after'])
  })

  test('is compacted at a start', () => {
    const { journal } = open()
    for (const value of [1, 2, 3]) {
      journal.write('often', value)
      journal.flush()
    }
    open()
    expect(readFileSync(join(directory, 'journal.jsonl'), 'utf8')).toBe('often 3\n')
  })
})
