import { describe, expect, it } from 'vitest'
import { compareDates, formatDay, localDate, zonedMoment } from './calendar.ts'

const today = { year: 2026, month: 11, day: 20 }

describe('formatDay', () => {
  it('shows the month and the day', () => {
    expect(formatDay(today, today)).toBe('November 20')
  })

  it('adds the year to a date of another year', () => {
    expect(formatDay({ year: 2025, month: 1, day: 2 }, today)).toBe('January 2, 2025')
  })
})

describe('localDate', () => {
  it('is the date on the reader’s clock', () => {
    expect(localDate(new Date(2026, 10, 20, 23, 59))).toEqual(today)
  })
})

describe('zonedMoment', () => {
  it.each([
    ['2026-11-20T08:30:00Z', { date: today, minutes: 30 }],
    ['2026-11-20T07:59:00Z', { date: { ...today, day: 19 }, minutes: 1439 }],
    // The hour that daylight saving time skips.
    ['2026-03-08T10:00:00Z', { date: { year: 2026, month: 3, day: 8 }, minutes: 180 }],
  ])('of %s is the date and time in Los Angeles', (instant, moment) => {
    expect(zonedMoment(new Date(instant), 'America/Los_Angeles')).toEqual(moment)
  })
})

describe('compareDates', () => {
  it.each([
    [{ year: 2026, month: 11, day: 19 }, 1],
    [{ year: 2026, month: 11, day: 20 }, 0],
    [{ year: 2027, month: 1, day: 1 }, -1],
  ])('orders dates', (other, sign) => {
    expect(Math.sign(compareDates(today, other))).toBe(sign)
  })
})
