import { describe, expect, it } from 'vitest'
import { createStore } from '#lib/store.ts'
import { anchorOf, findReadingPlace, saveReadingPlace } from './reading-place.ts'

const store = createStore(() => window.sessionStorage)

describe('the place in an edition', () => {
  it('is kept for each edition', () => {
    const morning = { openIds: ['a'], anchor: { rowId: 'memo-a', offsetPx: -40 } }
    saveReadingPlace(store, '11-20-26-10AM', morning)
    saveReadingPlace(store, '11-20-26-3PM', { openIds: [], anchor: null })
    expect(findReadingPlace(store, '11-20-26-10AM')).toEqual(morning)
  })

  it.each([null, '{"openIds":1}', 'not JSON'])('starts at the top with all memos closed for %s', (saved) => {
    if (saved !== null) window.sessionStorage.setItem('tidings:place:11-20-26-10AM', saved)
    expect(findReadingPlace(store, '11-20-26-10AM')).toEqual({ openIds: [], anchor: null })
  })
})

describe('the anchor of a scrolled list', () => {
  const rows = [
    { id: 'first', top: -300, bottom: -200 },
    { id: 'second', top: -200, bottom: 100 },
    { id: 'third', top: 100, bottom: 200 },
  ]

  it('is the row that the top of the view cuts', () => {
    expect(anchorOf(rows)).toEqual({ rowId: 'second', offsetPx: -200 })
  })

  it('is the last row below the end of the list', () => {
    expect(anchorOf(rows.slice(0, 1))).toEqual({ rowId: 'first', offsetPx: -300 })
  })

  it('is null for an empty list', () => {
    expect(anchorOf([])).toBeNull()
  })
})
