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

type Row = {
  name: string
  terms: DiscountTerm[]
  /** The first period; the anchor is its start and the next renewal its end unless they are given. */
  period?: typeof month
  anchor?: string
  renewsAt?: string
  expected: string[]
}

describe('the renewals after a discount', () => {
  it.each<Row>([
    { name: 'forever', terms: [term('forever')], expected: [] },
    { name: 'once', terms: [term('once')], expected: ['2027-01-26T10:00:00Z'] },
    { name: 'once, yearly', terms: [term('once')], period: year, expected: ['2028-11-26T10:00:00Z'] },
    {
      name: 'that ends with a renewal',
      terms: [term('repeating', '2027-02-26T10:00:00Z')],
      expected: ['2027-02-26T10:00:00Z'],
    },
    {
      name: 'that ends between renewals',
      terms: [term('repeating', '2027-02-26T10:00:01Z')],
      expected: ['2027-03-26T10:00:00Z'],
    },
    {
      name: 'in shorter months than the anchor’s',
      terms: [term('repeating', '2027-03-10T00:00:00Z')],
      anchor: '2026-01-31T10:00:00Z',
      renewsAt: '2027-02-28T10:00:00Z',
      expected: ['2027-03-31T10:00:00Z'],
    },
    { name: 'that is over', terms: [term('repeating', '2026-12-26T10:00:00Z')], expected: [] },
    {
      name: 'of several',
      terms: [term('once'), term('repeating', '2027-05-01T00:00:00Z'), term('forever')],
      expected: ['2027-01-26T10:00:00Z', '2027-05-26T10:00:00Z'],
    },
    {
      name: 'by the week',
      terms: [term('repeating', '2026-12-20T00:00:00Z')],
      period: week,
      expected: ['2026-12-24T10:00:00Z'],
    },
  ])('$name', ({ terms, period = month, anchor, renewsAt, expected }) => {
    const renewals = {
      period,
      anchor: anchor === undefined ? period.start : seconds(anchor),
      renewsAt: renewsAt === undefined ? period.end : seconds(renewsAt),
      isOnceUsed: false,
    }
    expect(renewalsAfterDiscounts(terms, renewals).map(iso)).toEqual(expected)
  })

  it('leave out a one-time discount that an earlier invoice uses', () => {
    const renewals = { renewsAt: month.end, anchor: month.start, period: month, isOnceUsed: true }
    expect(renewalsAfterDiscounts([term('once')], renewals)).toEqual([])
    expect(discountsAt([term('once')], month.end, { isFirst: false })).toEqual([])
  })
})
