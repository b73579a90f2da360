import { describe, expect, it } from 'vitest'
import { compareDates, formatDay, localDate, nextDay, zonedInstant, zonedMoment } from './calendar.ts'

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

describe('zonedInstant', () => {
  it.each([
    ['in winter', 'America/Los_Angeles', [2026, 11, 20], 600, '2026-11-20T18:00:00.000Z'],
    ['in summer', 'America/Los_Angeles', [2026, 7, 20], 600, '2026-07-20T17:00:00.000Z'],
    ['in the hour that is skipped', 'America/Los_Angeles', [2026, 3, 8], 150, '2026-03-08T10:30:00.000Z'],
    ['after the clocks went forward', 'America/Los_Angeles', [2026, 3, 8], 600, '2026-03-08T17:00:00.000Z'],
    ['in the hour that comes twice', 'America/Los_Angeles', [2026, 11, 1], 90, '2026-11-01T08:30:00.000Z'],
    ['after the clocks went back', 'America/Los_Angeles', [2026, 11, 1], 600, '2026-11-01T18:00:00.000Z'],
    ['at a quarter to', 'Asia/Kathmandu', [2026, 11, 20], 600, '2026-11-20T04:15:00.000Z'],
    ['where midnight is skipped', 'Africa/Cairo', [2026, 4, 24], 30, '2026-04-23T22:30:00.000Z'],
    ['by half an hour', 'Australia/Lord_Howe', [2026, 10, 4], 135, '2026-10-03T15:45:00.000Z'],
  ] as const)('%s in %s is the one of the server', (_name, zone, [year, month, day], minutes, instant) => {
    expect(zonedInstant({ year, month, day }, minutes, zone).toISOString()).toBe(instant)
  })
})

describe('nextDay', () => {
  it.each([
    [
      { year: 2026, month: 12, day: 31 },
      { year: 2027, month: 1, day: 1 },
    ],
    [
      { year: 2028, month: 2, day: 28 },
      { year: 2028, month: 2, day: 29 },
    ],
  ])('of %o is %o', (date, next) => {
    expect(nextDay(date)).toEqual(next)
  })
})
