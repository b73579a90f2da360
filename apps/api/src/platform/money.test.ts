import { describe, expect, it, test } from 'vitest'
import { formatMoney, isAmount, majorUnits, minorUnits } from './money.ts'

const amounts = [
  { currency: 'usd', minor: 499, major: 4.99, shown: '$4.99' },
  { currency: 'USD', minor: 5000, major: 50, shown: '$50.00' },
  { currency: 'usd', minor: 1, major: 0.01, shown: '$0.01' },
  { currency: 'usd', minor: 0, major: 0, shown: '$0.00' },
  { currency: 'usd', minor: -499, major: -4.99, shown: '-$4.99' },
  { currency: 'usd', minor: 100_000_000, major: 1_000_000, shown: '$1,000,000.00' },
  { currency: 'eur', minor: 1999, major: 19.99, shown: '€19.99' },
  { currency: 'gbp', minor: 29, major: 0.29, shown: '£0.29' },
  { currency: 'huf', minor: 149_050, major: 1490.5, shown: 'HUF 1,490.50' },
  { currency: 'chf', minor: 105, major: 1.05, shown: 'CHF 1.05' },
  { currency: 'jpy', minor: 499, major: 499, shown: '¥499' },
  { currency: 'krw', minor: 6500, major: 6500, shown: '₩6,500' },
  { currency: 'vnd', minor: 120_000, major: 120_000, shown: '₫120,000' },
  { currency: 'mga', minor: 20_000, major: 20_000, shown: 'MGA 20,000' },
  { currency: 'isk', minor: 69_900, major: 699, shown: 'ISK 699' },
  { currency: 'ugx', minor: 500, major: 5, shown: 'UGX 5' },
  { currency: 'kwd', minor: 1500, major: 1.5, shown: 'KWD 1.500' },
  { currency: 'TND', minor: 4990, major: 4.99, shown: 'TND 4.990' },
]

test.each(amounts)('$minor minor units of $currency are $shown', ({ currency, minor, major, shown }) => {
  expect(majorUnits(minor, currency)).toBe(major)
  expect(minorUnits(major, currency)).toBe(minor)
  expect(isAmount(major, currency)).toBe(true)
  // A non-breaking space separates the code and the amount.
  expect(formatMoney(minor, currency).replace('\u00a0', ' ')).toBe(shown)
})

test.each([
  ...[
    'bif',
    'clp',
    'djf',
    'gnf',
    'jpy',
    'kmf',
    'krw',
    'mga',
    'pyg',
    'rwf',
    'vnd',
    'vuv',
    'xaf',
    'xof',
    'xpf',
  ],
])('%s has no decimals', (currency) => {
  expect(majorUnits(1000, currency)).toBe(1000)
  expect(formatMoney(1000, currency)).toMatch(/1,000$/)
})

test.each(['bhd', 'jod', 'kwd', 'omr', 'tnd'])('%s has three decimals', (currency) => {
  expect(majorUnits(1000, currency)).toBe(1)
  expect(formatMoney(1000, currency)).toMatch(/1\.000$/)
})

describe('minorUnits', () => {
  it('is exact for every cent up to 100', () => {
    const cents = Array.from({ length: 10_000 }, (_, index) => index)
    expect(cents.map((cent) => minorUnits(Number((cent / 100).toFixed(2)), 'usd'))).toEqual(cents)
  })

  test.each([
    [4.999, 'usd'],
    [4.99, 'jpy'],
    [4.9999, 'kwd'],
    [699.5, 'isk'],
    [Number.NaN, 'usd'],
    [Number.POSITIVE_INFINITY, 'usd'],
    [1e15, 'usd'],
  ])('rejects %d of %s', (amount, currency) => {
    expect(() => minorUnits(amount, currency)).toThrow(RangeError)
    expect(isAmount(amount, currency)).toBe(false)
  })
})
