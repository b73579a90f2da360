import { describe, expect, it } from 'vitest'
import { markWords, placeOf, stateOf } from './archive-words.ts'

function foundIn(text: string, words: string): string[] {
  return markWords(text, words)
    .filter(({ isFound }) => isFound)
    .map(({ text }) => text)
}

describe('the found words of a text', () => {
  it.each([
    ['Harbour fees of the harbours', 'harbour', ['Harbour', 'harbour']],
    ['A (price) of 3.50', 'price 3.50', ['price', '3', '50']],
    ['Zürich und ZÜRICH', 'zürich', ['Zürich', 'ZÜRICH']],
    ['Nothing of it', 'else', []],
    ['A text', '…', []],
    ['harbour', 'harb harbour', ['harbour']],
  ])('in %j for %j', (text, words, found) => {
    expect(foundIn(text, words)).toEqual(found)
  })

  it('lose no letter', () => {
    const text = 'Harbour fees, and harbour bells'
    expect(
      markWords(text, 'harbour bell')
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text)
  })
})

describe('the state of a memo', () => {
  const memo = { isPublic: true, changed: [], notedAt: null }

  it('is that of its edition before it is public', () => {
    expect(stateOf({ ...memo, isPublic: false, editionStatus: 'held' })).toEqual({
      mark: 'held',
      text: 'Held',
    })
  })

  it('is withdrawn if readers had its edition', () => {
    const edition = { editionStatus: 'draft', editionWithdrawn: true } as const
    expect(stateOf({ ...memo, isPublic: false, ...edition }).text).toBe('Withdrawn')
  })

  it('says what readers of a published edition have', () => {
    const editionStatus = 'published'
    expect(stateOf({ ...memo, editionStatus }).text).toBe('Published')
    expect(stateOf({ ...memo, editionStatus, isPublic: false }).text).toBe('Not public yet')
    expect(stateOf({ ...memo, editionStatus, changed: ['title'] }).text).toBe('Published, with changes')
    expect(stateOf({ ...memo, editionStatus, notedAt: '2043-05-20T19:00:00.000Z' }).text).toBe('Corrected')
  })
})

it('an edition has its day, with the year unless it is this one', () => {
  expect(placeOf('11-20-43-3PM', 2043)).toEqual({ day: 'Fri, November 20', slot: '3PM' })
  expect(placeOf('11-20-43-3PM', 2044)).toEqual({ day: 'Fri, November 20, 2043', slot: '3PM' })
})
