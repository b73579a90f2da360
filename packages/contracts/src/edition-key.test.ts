import { describe, expect, it } from 'vitest'
import {
  type CalendarDate,
  formatEditionKey,
  formatIsoDate,
  formatWireDate,
  looksLikeWireDate,
  parseEditionKey,
  parseWireDate,
  sortSlots,
} from './edition-key.ts'

const days: [wire: string, date: CalendarDate, iso: string][] = [
  ['01-01-00', { year: 2000, month: 1, day: 1 }, '2000-01-01'],
  ['02-29-00', { year: 2000, month: 2, day: 29 }, '2000-02-29'],
  ['02-29-24', { year: 2024, month: 2, day: 29 }, '2024-02-29'],
  ['11-20-26', { year: 2026, month: 11, day: 20 }, '2026-11-20'],
  ['02-29-96', { year: 2096, month: 2, day: 29 }, '2096-02-29'],
  ['12-31-99', { year: 2099, month: 12, day: 31 }, '2099-12-31'],
]

const impossibleDays = [
  '00-10-26',
  '13-10-26',
  '11-00-26',
  '11-31-26',
  '02-29-25',
  '02-29-26',
  '02-30-24',
  '99-99-99',
  '00-00-00',
]

const malformedDates = [
  '',
  '11-20-2026',
  '1-20-26',
  '11-2-26',
  '11/20/26',
  '2026-11-20',
  ' 11-20-26',
  '11-20-26 ',
  '11-20-26\n',
  '+1-20-26',
  '١١-٢٠-٢٦',
  '11–20–26',
  'aa-bb-cc',
  '11-20-26-10AM',
]

describe('parseWireDate', () => {
  it.each(days)('reads %s', (wire, date) => {
    expect(parseWireDate(wire)).toEqual(date)
  })

  it.each(impossibleDays)('knows that there is no %s, though it has the form of a date', (wire) => {
    expect(parseWireDate(wire)).toBeNull()
    expect(looksLikeWireDate(wire)).toBe(true)
  })

  it.each(malformedDates)('refuses %j', (text) => {
    expect(parseWireDate(text)).toBeNull()
    expect(looksLikeWireDate(text)).toBe(false)
  })

  it('reads each day of a century and no other', () => {
    let found = 0
    const changed: string[] = []
    for (let year = 0; year < 100; year += 1) {
      for (let month = 0; month < 14; month += 1) {
        for (let day = 0; day < 33; day += 1) {
          const wire = [month, day, year].map((part) => String(part).padStart(2, '0')).join('-')
          const date = parseWireDate(wire)
          if (date === null) continue
          found += 1
          if (formatWireDate(date) !== wire) changed.push(wire)
        }
      }
    }
    expect(changed).toEqual([])
    expect(found).toBe(100 * 365 + 25)
  })
})

describe('formatWireDate and formatIsoDate', () => {
  it.each(days)('write %s', (wire, date, iso) => {
    expect(formatWireDate(date)).toBe(wire)
    expect(formatIsoDate(date)).toBe(iso)
  })
})

describe('parseEditionKey', () => {
  it.each([
    ['11-20-26-10AM', '10AM'],
    ['11-20-26-8PM', '8PM'],
    ['11-20-26-x', 'x'],
    ['11-20-26-ABCDEFGHIJKL', 'ABCDEFGHIJKL'],
  ])('splits %s', (key, slot) => {
    expect(parseEditionKey(key)).toEqual({ date: { year: 2026, month: 11, day: 20 }, slot })
  })

  it.each([
    '',
    '11-20-26',
    '11-20-26-',
    '11-20-26-ABCDEFGHIJKLM',
    '11-20-26-10:00',
    '11-20-26-10 AM',
    '11-20-26-10AM ',
    '11-20-26-10AM\n',
    '11-20-26-10-AM',
    '11-20-26_10AM',
    '11-20-2610AM',
    '11-20-26--10AM',
    '11-20-2026-10AM',
    '02-30-26-10AM',
    '11-20-26-１０AM',
    "11-20-26-10AM';--",
    '11-20-26-<b>',
    '__proto__',
    'get_list',
  ])('refuses %j', (key) => {
    expect(parseEditionKey(key)).toBeNull()
  })

  it('reads what formatEditionKey writes', () => {
    for (const [, date] of days) {
      expect(parseEditionKey(formatEditionKey(date, '3PM'))).toEqual({ date, slot: '3PM' })
    }
  })
})

describe('sortSlots', () => {
  const slots = [
    { label: '10AM', minutes: 600 },
    { label: '3PM', minutes: 900 },
    { label: '8PM', minutes: 1200 },
  ]

  it.each([
    [
      ['8PM', '3PM', '10AM'],
      ['10AM', '3PM', '8PM'],
    ],
    [
      ['3PM', '10AM'],
      ['10AM', '3PM'],
    ],
    [
      ['Zoo', '8PM', 'Ant'],
      ['8PM', 'Ant', 'Zoo'],
    ],
    [['3PM'], ['3PM']],
    [[], []],
  ])('puts %j in the order of their times, unknown ones last', (labels, sorted) => {
    expect(sortSlots(labels, slots)).toEqual(sorted)
  })

  it('leaves the list that it was given as it is', () => {
    const labels = ['8PM', '10AM']
    sortSlots(labels, slots)
    expect(labels).toEqual(['8PM', '10AM'])
  })
})
