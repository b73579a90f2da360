import { expect, it } from 'vitest'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { createEventLimit } from './event-limit.ts'

const clock = createFixedClock(new Date('2026-11-20T17:00:00.000Z'))

it('counts the events of a key until its time is over', () => {
  const limit = createEventLimit({ max: 2, seconds: 60, clock })
  expect([limit.take('a'), limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([
    true,
    true,
    false,
    true,
  ])
  clock.pass(59_999)
  expect(limit.take('a')).toBe(false)
  clock.pass(1)
  expect(limit.take('a')).toBe(true)
})

it('counts the events of all keys together', () => {
  const limit = createEventLimit({ max: 2, maxInAll: 3, seconds: 60, clock })
  expect(['a', 'b', 'c', 'd'].map((key) => limit.take(key))).toEqual([true, true, true, false])
})

it('does not count for all keys what the limit of one refuses', () => {
  const limit = createEventLimit({ max: 2, maxInAll: 10, seconds: 60, clock })
  const flood = Array.from({ length: 11 }, () => limit.take('flood'))
  expect(flood.filter(Boolean)).toHaveLength(2)
  expect(limit.take('other')).toBe(true)
})

it('remembers a bounded number of keys', () => {
  const limit = createEventLimit({ max: 1, seconds: 60, clock })
  limit.take('first')
  for (let index = 0; index < 10_000; index += 1) limit.take(String(index))
  expect(limit.take('first')).toBe(true)
})
