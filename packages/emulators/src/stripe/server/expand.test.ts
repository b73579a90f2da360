import { describe, expect, test } from 'vitest'
import { type Expansions, joinExpansions } from '../resources/endpoint.ts'
import { createStore } from '../store/create-store.ts'
import { expand } from './expand.ts'

const store = createStore({ now: () => new Date('2026-11-20T18:00:00Z') })

const known: Expansions = joinExpansions(
  { objects: { one_: (_store, id) => ({ id, object: 'one', next: 'two_1' }) }, included: {} },
  {
    objects: {
      two_: (_store, id) => (id === 'two_gone' ? undefined : { id, object: 'two', next: null, free: 'ANY' }),
      free: (_store, id) => ({ id, object: 'free' }),
    },
    included: { 'two.more': (_store, { id }) => ({ object: 'list', data: [`one_of_${id}`] }) },
  },
)

function expanded(object: Record<string, unknown>, ...paths: string[]) {
  return expand(store, object, paths, known)
}

describe('expand', () => {
  test('leaves everything else as it was', () => {
    expect(expanded({ id: 'x', next: 'one_1', other: 'one_2' }, 'next')).toEqual({
      id: 'x',
      next: { id: 'one_1', object: 'one', next: 'two_1' },
      other: 'one_2',
    })
  })

  test('goes on into what it expanded, by several paths', () => {
    const answer = expanded({ next: 'one_1' }, 'next.next.free', 'next.next.more.data')
    expect(answer).toMatchObject({
      next: {
        next: {
          free: { id: 'ANY', object: 'free' },
          more: { data: [{ object: 'one', id: 'one_of_two_1' }] },
        },
      },
    })
  })

  test('goes through lists', () => {
    const list = { object: 'list', data: [{ next: 'one_1' }, { next: 'two_1' }, { next: null }] }
    expect(expanded(list, 'data.next')).toMatchObject({
      data: [{ next: { object: 'one' } }, { next: { object: 'two' } }, { next: null }],
    })
  })

  test('does not count the list itself', () => {
    const list = { object: 'list', data: [{ a: { b: { c: { d: 'one_1' } } } }] }
    expect(expanded(list, 'data.a.b.c.d')).toMatchObject({
      data: [{ a: { b: { c: { d: { object: 'one' } } } } }],
    })
    expect(() => expanded(list, 'data.a.b.c.d.next')).toThrow('more than 4 levels')
  })

  test.each(['name', 'nothing', 'next.nothing', 'gone'])('%s cannot be expanded', (path) => {
    const object = { object: 'x', name: 'Ann', next: 'one_1', gone: 'two_gone' }
    expect(() => expanded(object, path)).toThrow(`This property cannot be expanded (${path}).`)
  })
})
