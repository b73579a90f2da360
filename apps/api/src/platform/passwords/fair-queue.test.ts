import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

/** Adds items and returns them in the order in which they leave. */
function orderOf(items: readonly (readonly [path: string, item: string])[]): string[] {
  const queue = createFairQueue<string>()
  for (const [path, item] of items) queue.add(path.split(' '), item)
  return items.map(() => queue.take() ?? '')
}

const name = fc.constantFrom('a', 'b', 'c')
const nestedPath = fc.tuple(name, name, name)
const nested = fc.array(nestedPath, { maxLength: 60 })

/** Returns the number of paths that begin with these names. */
function sizeAt(paths: readonly (readonly string[])[], names: readonly string[]): number {
  return paths.filter((path) => names.every((each, level) => path[level] === each)).length
}

const waiting = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 2 })), {
  maxLength: 60,
})

describe('createFairQueue', () => {
  it('lets networks take turns', () => {
    const items = [
      ['a', 'a1'],
      ['a', 'a2'],
      ['a', 'a3'],
      ['b', 'b1'],
      ['c', 'c1'],
      ['c', 'c2'],
    ] as const
    expect(orderOf(items)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  })

  it('lets the parts of a network take turns in its share', () => {
    const items = [
      ['x x1', 'x1a'],
      ['x x1', 'x1b'],
      ['x x2', 'x2a'],
      ['x x3', 'x3a'],
      ['b', 'b1'],
      ['b', 'b2'],
    ] as const
    expect(orderOf(items)).toEqual(['x1a', 'b1', 'x2a', 'b2', 'x3a', 'x1b'])
  })

  it('takes the newest item of the network that has the most', () => {
    const queue = createFairQueue<string>()
    for (const item of ['a1', 'a2', 'a3']) queue.add(['a', 'part'], item)
    queue.add(['b'], 'b1')
    expect([queue.takeFromLargest(), queue.takeFromLargest()]).toEqual(['a3', 'a2'])
    expect([queue.take(), queue.take(), queue.take(), queue.takeFromLargest()]).toEqual([
      'a1',
      'b1',
      undefined,
      undefined,
    ])
  })

  it('loses no item, repeats none and keeps the order of a network', () => {
    fc.assert(
      fc.property(waiting, fc.array(fc.boolean()), (paths, choices) => {
        const queue = createFairQueue<number>()
        for (const [index, [wide, narrow]] of paths.entries()) queue.add([`${wide}`, `${narrow}`], index)
        const left = paths.map((_, index) => (choices[index] ? queue.takeFromLargest() : queue.take()))
        expect(left.toSorted((one, other) => Number(one) - Number(other))).toEqual([...paths.keys()])
        expect([queue.size, queue.largestSize()]).toEqual([0, 0])
      }),
      { seed: 64 },
    )
  })

  it('counts exactly the items that leave before a new one, at each level of its path', () => {
    fc.assert(
      fc.property(nested, fc.nat(60), nestedPath, (paths, taken, path) => {
        const queue = createFairQueue<string>()
        for (const each of paths) queue.add(each, 'flood')
        for (let each = 0; each < taken; each += 1) queue.take()
        const before = queue.countBefore(path)
        queue.add(path, 'new')
        const order = Array.from({ length: queue.size }, () => queue.take())
        expect(order.indexOf('new')).toBe(before)
      }),
      { seed: 64 },
    )
  })

  it('makes room in the largest part at each level, and rejects a new item only if its own parts are those', () => {
    fc.assert(
      fc.property(nested, nestedPath, (paths, path) => {
        const queue = createFairQueue<readonly string[]>()
        for (const each of paths) queue.add(each, each)
        const all = [...paths, path]
        const left = queue.takeFromLargest(path) ?? path
        for (const level of left.keys()) {
          const parent = left.slice(0, level)
          const sizes = ['a', 'b', 'c'].map((part) => sizeAt(all, [...parent, part]))
          expect(sizeAt(all, left.slice(0, level + 1))).toBe(Math.max(...sizes))
        }
        expect(queue.size).toBe(left === path ? paths.length : paths.length - 1)
      }),
      { seed: 64 },
    )
  })

  it('serves a new network before the second items of the others', () => {
    fc.assert(
      fc.property(waiting, (paths) => {
        const queue = createFairQueue<string>()
        for (const [wide, narrow] of paths) queue.add([`${wide}`, `${narrow}`], 'flood')
        const before = queue.countBefore(['new'])
        queue.add(['new'], 'honest')
        const order = Array.from({ length: paths.length + 1 }, () => queue.take())
        expect(order.indexOf('honest')).toBe(before)
        expect(before).toBe(new Set(paths.map(([wide]) => wide)).size)
      }),
      { seed: 64 },
    )
  })
})
