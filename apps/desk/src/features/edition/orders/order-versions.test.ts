import type { OrderChange } from '@tidings/contracts/desk/writing/orders'
import { describe, expect, it } from 'vitest'
import { orderVersions, restoredOrder } from './order-versions.ts'

const placed = (ids: string) => Array.from(ids, (id) => ({ id, title: id, isHere: true }))

function change(at: string, editor: string, [before, after]: [string, string]): OrderChange {
  const id = `${editor} ${at}`
  return {
    id,
    at: `2026-11-20T${at}:00.000Z`,
    editor,
    personId: editor,
    before: placed(before),
    memos: placed(after),
  }
}

describe('the orders of an edition', () => {
  const changes = [
    change('15:20', 'Ines', ['CBA', 'ACB']),
    change('15:12', 'Ines', ['BCA', 'CBA']),
    change('15:11', 'Mara', ['BAC', 'BCA']),
    change('15:08', 'Mara', ['ABC', 'BAC']),
  ]

  it('are one for each person and sitting, and the one before the first change', () => {
    const shown = orderVersions(changes, false).map(({ id, memos }) => [
      id,
      memos.map((memo) => memo.id).join(''),
    ])
    expect(shown).toEqual([
      ['Ines 15:20', 'ACB'],
      ['Ines 15:12', 'CBA'],
      ['Mara 15:11', 'BCA'],
      ['first', 'ABC'],
    ])
  })

  it('have no first one while older changes aren’t read', () => {
    expect(orderVersions(changes, true).map(({ id }) => id)).not.toContain('first')
    expect(orderVersions([], false)).toEqual([])
  })
})

describe('an order that is restored', () => {
  it.for([
    ['ABC', 'CBA', 'CBA'],
    ['AC', 'CBA', 'CA'],
    ['ABCX', 'CBA', 'CXBA'],
    ['XABC', 'CBA', 'XCBA'],
    ['AXYB', 'BA', 'BAXY'],
    ['XY', 'AB', 'XY'],
  ] as const)('of %s to %s is %s', ([current, earlier, restored]) => {
    expect(restoredOrder([...current], [...earlier]).join('')).toBe(restored)
  })
})
