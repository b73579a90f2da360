import { describe, expect, it } from 'vitest'
import { textChanges } from './text-changes.ts'

describe('the words that a text gained and lost', () => {
  it('are none in the same text', () => {
    expect(textChanges('A train of wagons', 'A train of wagons')).toEqual({ inserted: [], deleted: [] })
  })

  it('stand where the new text has them', () => {
    const now = 'A train of thirteen wagons left'
    const { inserted, deleted } = textChanges('A train of thirty wagons left', now)
    expect(inserted.map(({ from, to }) => now.slice(from, to))).toEqual([' thirteen'])
    expect(deleted).toEqual([{ at: 10, text: ' thirty' }])
  })

  it('are found at both ends', () => {
    expect(textChanges('Old words stay', 'New words stay')).toMatchObject({
      deleted: [{ at: 0, text: 'Old' }],
    })
    expect(textChanges('same and old', 'same')).toMatchObject({ deleted: [{ at: 4, text: ' and old' }] })
  })
})
