import { describe, expect, it } from 'vitest'
import { editionItems } from './edition-items.ts'
import { matching } from './matching.ts'

const friday = { year: 2026, month: 11, day: 20 }
const found = (words: string) =>
  matching(editionItems(words, { slots: ['10AM', '3PM'], today: friday }), words).map(({ title }) => title)

describe('editions in "Find or do"', () => {
  it('are found by slot, day and nearness', () => {
    expect(found('3pm today')).toEqual(['3PM, Friday, November 20'])
    expect(found('10am nov 28')).toEqual(['10AM, Saturday, November 28'])
    expect(found('tomorrow')).toEqual(['10AM, Saturday, November 21', '3PM, Saturday, November 21'])
  })

  it('of any day are found by its date', () => {
    const march = ['10AM, Tuesday, March 3', '3PM, Tuesday, March 3']
    expect(found('2048-03-03')).toEqual(march)
    expect(found('03-03-48')).toEqual(march)
  })
})
