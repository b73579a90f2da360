import { describe, expect, it } from 'vitest'
import { dateInZone, publishInstant } from './slot-times.ts'

const losAngeles = 'America/Los_Angeles'

/** Returns a slot at this time of day. */
function slotAt(time: string) {
  const [hours, minutes] = time.split(':').map(Number)
  return { label: 'slot', minutes: (hours ?? 0) * 60 + (minutes ?? 0) }
}

describe('publishInstant', () => {
  it.each([
    ['in winter', losAngeles, [2026, 11, 20], '10:00', '2026-11-20T18:00:00.000Z'],
    ['in summer', losAngeles, [2026, 7, 20], '10:00', '2026-07-20T17:00:00.000Z'],
    ['before the clocks go forward', losAngeles, [2026, 3, 8], '01:59', '2026-03-08T09:59:00.000Z'],
    ['in the hour that is skipped', losAngeles, [2026, 3, 8], '02:30', '2026-03-08T10:30:00.000Z'],
    ['after the clocks went forward', losAngeles, [2026, 3, 8], '03:00', '2026-03-08T10:00:00.000Z'],
    ['on the day the clocks go forward', losAngeles, [2026, 3, 8], '10:00', '2026-03-08T17:00:00.000Z'],
    ['in the hour that comes twice', losAngeles, [2026, 11, 1], '01:30', '2026-11-01T08:30:00.000Z'],
    ['on the day the clocks go back', losAngeles, [2026, 11, 1], '10:00', '2026-11-01T18:00:00.000Z'],
    ['at midnight', losAngeles, [2026, 11, 20], '00:00', '2026-11-20T08:00:00.000Z'],
    ['on a leap day', losAngeles, [2028, 2, 29], '20:00', '2028-03-01T04:00:00.000Z'],
    ['at a quarter to', 'Asia/Kathmandu', [2026, 11, 20], '10:00', '2026-11-20T04:15:00.000Z'],
    ['at half past', 'Asia/Kolkata', [2026, 11, 20], '10:00', '2026-11-20T04:30:00.000Z'],
    ['east of noon', 'Pacific/Chatham', [2026, 1, 20], '10:00', '2026-01-19T20:15:00.000Z'],
    ['at the far east', 'Pacific/Kiritimati', [2026, 11, 20], '10:00', '2026-11-19T20:00:00.000Z'],
    [
      'where clocks shift by half an hour',
      'Australia/Lord_Howe',
      [2026, 10, 4],
      '02:15',
      '2026-10-03T15:45:00.000Z',
    ],
    ['where midnight is skipped', 'Africa/Cairo', [2026, 4, 24], '00:30', '2026-04-23T22:30:00.000Z'],
    ['in UTC', 'UTC', [2026, 11, 20], '10:00', '2026-11-20T10:00:00.000Z'],
  ])('returns the right instant %s (%s)', (_name, zone, [year = 0, month = 0, day = 0], time, instant) => {
    expect(publishInstant({ year, month, day }, slotAt(time), zone).toISOString()).toBe(instant)
  })

  it('keeps the slots of every day of a year distinct and in order', () => {
    const slots = ['00:30', '02:30', '10:00', '15:00', '20:00'].map(slotAt)
    for (const zone of [losAngeles, 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Chatham']) {
      for (let day = 1; day <= 31; day += 1) {
        for (const month of [3, 10]) {
          const times = slots.map((slot) => publishInstant({ year: 2026, month, day }, slot, zone).getTime())
          expect(times).toEqual(times.toSorted((a, b) => a - b))
          expect(new Set(times).size).toBe(times.length)
        }
      }
    }
  })
})

describe('dateInZone', () => {
  it.each([
    ['2026-11-20T07:59:59.999Z', losAngeles, [2026, 11, 19]],
    ['2026-11-20T08:00:00.000Z', losAngeles, [2026, 11, 20]],
    ['2026-11-20T09:59:59.000Z', 'Pacific/Kiritimati', [2026, 11, 20]],
    ['2026-11-20T10:00:00.000Z', 'Pacific/Kiritimati', [2026, 11, 21]],
    ['2026-12-31T18:15:00.000Z', 'Asia/Kathmandu', [2027, 1, 1]],
    ['2028-02-29T23:59:59.000Z', 'UTC', [2028, 2, 29]],
  ])('returns the day of %s in %s', (instant, zone, [year, month, day]) => {
    expect(dateInZone(new Date(instant), zone)).toEqual({ year, month, day })
  })
})
