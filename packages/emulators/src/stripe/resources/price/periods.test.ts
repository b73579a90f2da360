import { expect, test } from 'vitest'
import { addMonths, nextPeriodEnd } from './periods.ts'

const at = (text: string) => Date.parse(`${text}T12:00:00Z`) / 1000

const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)

test.each([
  ['2026-01-31', '2026-01-31', 'month', 1, '2026-02-28'],
  ['2026-01-31', '2026-02-28', 'month', 1, '2026-03-31'],
  ['2026-01-31', '2026-03-30', 'month', 1, '2026-03-31'],
  ['2028-01-30', '2028-01-30', 'month', 1, '2028-02-29'],
  ['2026-01-15', '2026-01-15', 'month', 3, '2026-04-15'],
  ['2026-01-15', '2026-12-31', 'month', 1, '2027-01-15'],
  ['2024-02-29', '2024-02-29', 'year', 1, '2025-02-28'],
  ['2024-02-29', '2027-02-28', 'year', 1, '2028-02-29'],
] as const)(
  'a period counted from %s that runs on %s, by %s × %i, ends on %s',
  (anchor, time, interval, intervalCount, end) => {
    expect(dayOf(nextPeriodEnd(at(anchor), at(time), { interval, intervalCount }))).toBe(end)
  },
)

test('a month later keeps the time of day', () => {
  expect(addMonths(at('2026-01-31') + 61, 1)).toBe(at('2026-02-28') + 61)
})
