import { describe, expect, it } from 'vitest'
import type { Notifications } from '../notifications.ts'
import { createInvalidation, formatInvalidation } from './invalidation.ts'

/** A line between processes that a test speaks into, and a cache that keeps what it was told. */
function createTestLine() {
  const told: string[] = []
  let hear: (payload: string) => void = () => undefined
  let lose: () => void = () => undefined
  let restore: () => void = () => undefined
  const line: Notifications = {
    on: (_channel, handler) => {
      hear = handler
    },
    onLost: (handler) => {
      lose = handler
    },
    onRestored: (handler) => {
      restore = handler
    },
    isListening: () => true,
    start: async () => undefined,
    stop: async () => undefined,
  }
  createInvalidation(line, [
    {
      drop: (key) => void told.push(`drop ${key}`),
      dropSoon: (key) => void told.push(`soon ${key}`),
      clear: () => void told.push('clear'),
    },
  ])
  return {
    told,
    hear: (payload: string) => hear(payload),
    lose: () => lose(),
    restore: () => restore(),
  }
}

describe('formatInvalidation', () => {
  it.each([
    [{ at: ['archive'] }, 'archive'],
    [{ at: ['a', 'b'] }, 'a b'],
    [{ soon: ['a'] }, '~a'],
    [{ at: ['a'], soon: ['b', 'c'] }, 'a ~b ~c'],
  ])('writes %j as %j', (keys, payload) => {
    expect(formatInvalidation(keys)).toBe(payload)
  })

  it('says that everything is invalid when the keys do not fit into one notification', () => {
    const keys = Array.from({ length: 400 }, (_, index) => `edition:11-20-26-${index}`)
    expect(formatInvalidation({ at: keys })).toBe('*')
    expect(formatInvalidation({ at: keys.slice(0, 300) })).toContain('edition:11-20-26-299')
  })

  it('counts bytes, not characters', () => {
    expect(formatInvalidation({ at: ['é'.repeat(4_000)] })).toBe('*')
  })
})

describe('createInvalidation', () => {
  it.each([
    ['archive', ['drop archive']],
    [
      'edition:11-20-26-10AM times:11-20-26 archive',
      ['drop edition:11-20-26-10AM', 'drop times:11-20-26', 'drop archive'],
    ],
    ['~edition:11-20-26-10AM', ['soon edition:11-20-26-10AM']],
    ['a ~b', ['drop a', 'soon b']],
    ['*', ['clear']],
  ])('does what %j says', (payload, told) => {
    const line = createTestLine()
    line.hear(payload)
    expect(line.told).toEqual(told)
  })

  it('empties the caches when the line is lost, and again when it is back', () => {
    const line = createTestLine()
    line.lose()
    line.restore()
    expect(line.told).toEqual(['clear', 'clear'])
  })
})
