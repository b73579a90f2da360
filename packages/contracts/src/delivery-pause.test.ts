import { expect, it } from 'vitest'
import { latestPauseEnd } from './delivery-pause.ts'

it.each([
  [
    { year: 2026, month: 11, day: 20 },
    { year: 2027, month: 11, day: 20 },
  ],
  [
    { year: 2027, month: 12, day: 31 },
    { year: 2028, month: 12, day: 31 },
  ],
  [
    { year: 2028, month: 2, day: 29 },
    { year: 2029, month: 2, day: 28 },
  ],
  [
    { year: 2027, month: 2, day: 28 },
    { year: 2028, month: 2, day: 28 },
  ],
])('a pause from %o on ends by %o', (today, latest) => {
  expect(latestPauseEnd(today)).toEqual(latest)
})
