import { describe, expect, it } from 'vitest'
import { type DiscountTerm, discountsAt, renewalsAfterDiscounts } from './discount-terms.ts'

const seconds = (instant: string) => Date.parse(instant) / 1000
const iso = (time: number) => new Date(time * 1000).toISOString().replace('.000Z', 'Z')
const month = { start: seconds('2026-11-26T10:00:00Z'), end: seconds('2026-12-26T10:00:00Z') }
const year = { start: seconds('2026-11-26T10:00:00Z'), end: seconds('2027-11-26T10:00:00Z') }
const week = { start: seconds('2026-11-26T10:00:00Z'), end: seconds('2026-12-03T10:00:00Z') }

function term(duration: DiscountTerm['duration'], end: string | null = null): DiscountTerm {
  return { duration, end: end === null ? null : seconds(end) }
}

describe('the renewals after a discount', () => {
  it.each<[string, DiscountTerm[], typeof month, string, string, string[]]>([
    ['forever', [term('forever')], month, '2026-11-26T10:00:00Z', '2026-12-26T10:00:00Z', []],
    ['once', [term('once')], month, '2026-11-26T10:00:00Z', '2026-12-26T10:00:00Z', ['2027-01-26T10:00:00Z']],
    [
      'once, yearly',
      [term('once')],
      year,
      '2026-11-26T10:00:00Z',
      '2027-11-26T10:00:00Z',
      ['2028-11-26T10:00:00Z'],
    ],
    [
      'that ends with a renewal',
      [term('repeating', '2027-02-26T10:00:00Z')],
      month,
      '2026-11-26T10:00:00Z',
      '2026-12-26T10:00:00Z',
      ['2027-02-26T10:00:00Z'],
    ],
    [
      'that ends between renewals',
      [term('repeating', '2027-02-26T10:00:01Z')],
      month,
      '2026-11-26T10:00:00Z',
      '2026-12-26T10:00:00Z',
      ['2027-03-26T10:00:00Z'],
    ],
    [
      'in shorter months than the anchor’s',
      [term('repeating', '2027-03-10T00:00:00Z')],
      month,
      '2026-01-31T10:00:00Z',
      '2027-02-28T10:00:00Z',
      ['2027-03-31T10:00:00Z'],
    ],
    [
      'that is over',
      [term('repeating', '2026-12-26T10:00:00Z')],
      month,
      '2026-11-26T10:00:00Z',
      '2026-12-26T10:00:00Z',
      [],
    ],
    [
      'of several',
      [term('once'), term('repeating', '2027-05-01T00:00:00Z'), term('forever')],
      month,
      '2026-11-26T10:00:00Z',
      '2026-12-26T10:00:00Z',
      ['2027-01-26T10:00:00Z', '2027-05-26T10:00:00Z'],
    ],
    [
      'by the week',
      [term('repeating', '2026-12-20T00:00:00Z')],
      week,
      '2026-11-26T10:00:00Z',
      '2026-12-03T10:00:00Z',
      ['2026-12-24T10:00:00Z'],
    ],
  ])('%s', (_, terms, period, anchor, renewsAt, expected) => {
    const renewals = { renewsAt: seconds(renewsAt), anchor: seconds(anchor), period, isOnceUsed: false }
    expect(renewalsAfterDiscounts(terms, renewals).map(iso)).toEqual(expected)
  })

  it('leave out a one-time discount that an earlier invoice uses', () => {
    const renewsAt = seconds('2026-12-26T10:00:00Z')
    const renewals = { renewsAt, anchor: month.start, period: month, isOnceUsed: true }
    expect(renewalsAfterDiscounts([term('once')], renewals)).toEqual([])
    expect(discountsAt([term('once')], renewsAt, { isFirst: false })).toEqual([])
  })
})
