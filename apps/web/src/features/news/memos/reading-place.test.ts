import { describe, expect, it } from 'vitest'
import { createStore } from '#lib/storage/store.ts'
import { findReadingPlace, saveReadingPlace } from './reading-place.ts'

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
