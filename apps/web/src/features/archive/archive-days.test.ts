import { describe, expect, it } from 'vitest'
import { editionOf, slots } from '#testing/moments.ts'
import { archiveDays, indexOfMonth, monthsOf, yearsOf } from './archive-days.ts'

function daysOf(...keys: string[]) {
  return archiveDays(keys.map(editionOf), slots)
}

describe('the days of the archive', () => {
  it('have three slots in order of time, newest date first, whatever the order of the editions', () => {
    expect(daysOf('07-12-22-10AM', '11-20-26-3PM', '11-20-26-10AM', '12-31-25-8PM')).toEqual([
      {
        date: { year: 2026, month: 11, day: 20 },
        slots: [
          { label: '10AM', isFilled: true },
          { label: '3PM', isFilled: true },
          { label: '8PM', isFilled: false },
        ],
      },
      expect.objectContaining({ date: { year: 2025, month: 12, day: 31 } }),
      expect.objectContaining({ date: { year: 2022, month: 7, day: 12 } }),
    ])
  })

  it.each([
    { editions: ['10AM', '9PM'], labels: ['10AM', '3PM', '9PM'] },
    { editions: ['8PM', '9PM'], labels: ['10AM', '3PM', '8PM', '9PM'] },
    { editions: ['10AM'], labels: ['10AM', '3PM', '8PM'] },
  ])('show $labels for editions at $editions', ({ editions, labels }) => {
    const [day] = daysOf(...editions.map((slot) => `11-20-26-${slot}`))
    expect(day?.slots.map(({ label }) => label)).toEqual(labels)
    expect(day?.slots.filter(({ isFilled }) => isFilled).map(({ label }) => label)).toEqual(editions)
  })
})

describe('the jump by month and year', () => {
  const days = daysOf('11-20-26-10AM', '11-19-26-10AM', '03-02-26-10AM', '12-31-25-10AM', '10-01-25-10AM')

  it('offers the years and months that have editions', () => {
    expect(yearsOf(days)).toEqual([2026, 2025])
    expect(monthsOf(days, 2026)).toEqual([11, 3])
  })

  it.each([
    { year: 2026, month: 11, index: 0, what: 'the newest date of the month' },
    { year: 2026, month: 7, index: 2, what: 'the next earlier month' },
    { year: 2026, month: 1, index: 2, what: 'the earliest month of the year' },
    { year: 2025, month: 11, index: 4, what: 'the next earlier month of another year' },
  ])('leads from $month/$year to $what', ({ year, month, index }) => {
    expect(indexOfMonth(days, year, month)).toBe(index)
  })
})
