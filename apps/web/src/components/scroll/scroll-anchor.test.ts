import { describe, expect, it } from 'vitest'
import { anchorOf } from './scroll-anchor.ts'

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
