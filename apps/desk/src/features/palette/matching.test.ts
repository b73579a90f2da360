import { describe, expect, it } from 'vitest'
import { matching } from './matching.ts'

const items = [
  { title: 'What a harbor is for', hint: 'Article, draft' },
  { title: 'Harbor cities agree', hint: '3PM, memo 1' },
  { title: 'Tomás Álvarez', hint: 'Writer' },
]
const titles = (words: string) => matching(items, words).map(({ title }) => title)

describe('matching', () => {
  it('lists first what begins with the words', () => {
    expect(titles('har')).toEqual(['Harbor cities agree', 'What a harbor is for'])
  })

  it('finds words in any order, in the hint, and without accents', () => {
    expect(titles('draft harbor')).toEqual(['What a harbor is for'])
    expect(titles('tomas alv')).toEqual(['Tomás Álvarez'])
    expect(titles('')).toHaveLength(3)
    expect(titles('nothing')).toEqual([])
  })
})
