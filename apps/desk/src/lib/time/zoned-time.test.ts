import { describe, expect, it } from 'vitest'
import { addDays, clockText, dayIn, dayText, instantAt, spanText, twoClocks } from './zoned-time.ts'

const site = 'America/Los_Angeles'
const friday = { year: 2026, month: 11, day: 20 }

describe('a wall clock of the site', () => {
  it.for([
    [friday, 900, '2026-11-20T23:00:00.000Z'],
    [{ year: 2026, month: 7, day: 1 }, 900, '2026-07-01T22:00:00.000Z'],
    // The clocks go back at two in the morning, and forward in March.
    [{ year: 2026, month: 11, day: 1 }, 600, '2026-11-01T18:00:00.000Z'],
    [{ year: 2026, month: 3, day: 8 }, 600, '2026-03-08T17:00:00.000Z'],
  ] as const)('shows %o and %i minutes at %s', ([day, minutes, instant]) => {
    expect(instantAt(day, minutes, site).toISOString()).toBe(instant)
  })

  it('is on another day than elsewhere', () => {
    const late = new Date('2026-11-21T05:00:00Z')
    expect(dayIn(late, site)).toEqual(friday)
    expect(dayIn(late, 'Europe/Berlin')).toEqual({ year: 2026, month: 11, day: 21 })
    expect(addDays(friday, 11)).toEqual({ year: 2026, month: 12, day: 1 })
    expect(dayText(friday)).toBe('Friday, November 20')
  })
})

describe('times for people', () => {
  const three = new Date('2026-11-20T23:00:00Z')

  it('have the clock of the site first, and one where the zones agree', () => {
    expect(twoClocks(three, site, 'America/New_York')).toBe('3:00 PM in Los Angeles, 6:00 PM here')
    expect(twoClocks(three, site, 'America/Tijuana')).toBe('3:00 PM')
    expect(clockText(three, 'UTC')).toBe('11:00 PM')
  })

  it.for([
    [20_000, '1 min'],
    [34 * 60_000, '34 min'],
    [70 * 60_000, '1 h 10 min'],
    [-120 * 60_000, '2 h'],
    [26 * 3_600_000, '1 day'],
    [72 * 3_600_000, '3 days'],
  ] as const)('say a span of %i ms as %s', ([ms, text]) => {
    expect(spanText(ms)).toBe(text)
  })
})
