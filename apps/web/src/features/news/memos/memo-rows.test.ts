import { describe, expect, it } from 'vitest'
import { wireMemo } from '#testing/api-handlers.ts'
import { toMemo } from '../memo.ts'
import { rowsOf, updateRows } from './memo-rows.ts'
import type { Permission } from './reading-view.ts'

const memosOf = (titles: string) => [...titles].map((title) => toMemo(wireMemo({ title })))
const idOf = (title: string) => toMemo(wireMemo({ title })).id

const anything: Permission = { mayReorder: true, mayInsertBefore: () => true }
const nothing: Permission = { mayReorder: false, mayInsertBefore: () => false }

/** Returns the titles of the rows, with `-` for a withdrawn one, and the held ones. */
function update(before: string, after: string, permission: Permission): string {
  const { rows, held } = updateRows(rowsOf(memosOf(before)).rows, memosOf(after), permission)
  const titles = rows.map(({ memo }) => memo?.title ?? '-').join('')
  return held.length === 0 ? titles : `${titles} +${held.map(({ title }) => title).join('')}`
}

describe('updateRows', () => {
  it.each([
    ['abc', 'abc', 'abc'],
    ['abc', 'xabc', 'xabc'],
    ['abc', 'axbyc', 'axbyc'],
    ['abc', 'cab', 'cab'],
    ['abc', 'ac', 'a-c'],
    ['abc', 'ca', 'c-a'],
    ['abc', 'axc', 'ax-c'],
    ['', 'ab', 'ab'],
  ])('shows %s as %s when nothing is being read: %s', (before, after, expected) => {
    expect(update(before, after, anything)).toBe(expected)
  })

  it.each([
    ['abc', 'xabc', 'abc +x'],
    ['abc', 'cab', 'abc'],
    ['abc', 'xacy', 'a-c +xy'],
  ])('keeps %s in its place when %s would move it: %s', (before, after, expected) => {
    expect(update(before, after, nothing)).toBe(expected)
  })

  it('puts a memo where it moves nothing and holds the others', () => {
    const onlyAbove = (title: string) => ({
      mayReorder: false,
      mayInsertBefore: (id: string | null) => id === null || id === idOf(title),
    })
    expect(update('abc', 'xaybzcw', onlyAbove('c'))).toBe('abzcw +xy')
  })
})
