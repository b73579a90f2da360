import { expect, it } from 'vitest'
import { formatCorrectionTime } from './correction-line.ts'

it.each([
  ['America/Los_Angeles', '3:12\u00a0PM'],
  ['Asia/Kolkata', '4:42\u00a0AM'],
])('formats the time of a correction in %s', (timeZone, text) => {
  expect(formatCorrectionTime(new Date('2026-11-20T23:12:40.000Z'), timeZone)).toBe(text)
})
