import { describe, expect, it } from 'vitest'
import { createStore } from '#lib/storage/store.ts'
import { listReadMemos, markMemosRead } from './read-memos.ts'

const store = createStore(() => window.localStorage)

describe('the memos that were read', () => {
  it('are listed once each', () => {
    markMemosRead(store, ['a', 'b'])
    expect(markMemosRead(store, ['b', 'c'])).toEqual(['a', 'b', 'c'])
  })

  it('are limited to the newest 500', () => {
    const ids = Array.from({ length: 501 }, (_, index) => `memo-${index}`)
    markMemosRead(store, ids)
    expect(listReadMemos(store)).toHaveLength(500)
    expect(listReadMemos(store)[0]).toBe('memo-1')
  })

  it('are empty when the stored value is invalid', () => {
    window.localStorage.setItem('tidings:read', '{"not":"a list"}')
    expect(listReadMemos(store)).toEqual([])
  })
})
