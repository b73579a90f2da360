import { describe, expect, it } from 'vitest'
import { createStore } from '../../lib/store.ts'
import { keepReadTitles, readTitles } from './read-titles.ts'

const store = createStore(() => window.localStorage)

describe('the titles that were read', () => {
  it('are remembered once each', () => {
    keepReadTitles(store, ['a', 'b'])
    expect(keepReadTitles(store, ['b', 'c'])).toEqual(['a', 'b', 'c'])
  })

  it('are forgotten from the oldest on after 500', () => {
    const ids = Array.from({ length: 501 }, (_, index) => `memo-${index}`)
    keepReadTitles(store, ids)
    expect(readTitles(store)).toHaveLength(500)
    expect(readTitles(store)[0]).toBe('memo-1')
  })

  it('are none when what is stored can’t be read', () => {
    window.localStorage.setItem('tidings:read', '{"not":"a list"}')
    expect(readTitles(store)).toEqual([])
  })
})
