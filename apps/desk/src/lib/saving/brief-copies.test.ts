import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dropBriefly, keepBriefly, listBrief } from './brief-copies.ts'

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

const quotaExceeded = () => {
  throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
}

describe('words that are kept until the database has them', () => {
  it('are there at once, and the newest of each text', () => {
    expect(keepBriefly('memo-1/tab-1', { words: 'first' })).toBe(true)
    keepBriefly('memo-1/tab-1', { words: 'second' })
    keepBriefly('memo-2/tab-1', { words: 'other' })

    expect(listBrief()).toHaveLength(2)
    expect(listBrief()).toEqual(expect.arrayContaining([{ words: 'second' }, { words: 'other' }]))
  })

  it('are gone once they are dropped, and only they', () => {
    keepBriefly('memo-1/tab-1', { words: 'mine' })
    keepBriefly('memo-1/tab-2', { words: 'of another tab' })

    dropBriefly('memo-1/tab-1')
    dropBriefly('memo-1/tab-3')

    expect(listBrief()).toEqual([{ words: 'of another tab' }])
  })

  it('aren’t kept where the storage is full, which is no success', () => {
    vi.stubGlobal('localStorage', { setItem: quotaExceeded, removeItem: () => undefined })

    expect(keepBriefly('memo-1/tab-1', { words: 'mine' })).toBe(false)
    dropBriefly('memo-1/tab-1')
    expect(listBrief()).toEqual([])
  })

  it('don’t include what others keep in the storage', () => {
    localStorage.setItem('theme', 'dark')
    keepBriefly('memo-1/tab-1', { words: 'mine' })

    expect(listBrief()).toEqual([{ words: 'mine' }])
  })

  it('are all read, although one can’t be', () => {
    localStorage.setItem('tidings-desk/unsaved/memo-1/tab-1', '{"words": "cut o')
    keepBriefly('memo-1/tab-2', { words: 'whole' })

    expect(listBrief()).toEqual([{ words: 'whole' }])
  })
})
