import type { Plan } from '@tidings/contracts/membership/plans'
import { describe, expect, it } from 'vitest'
import { formatOffer, formatRenewal } from './money.ts'

const monthly: Plan['prices'][number] = {
  id: 'prc_monthly',
  name: null,
  amount: 4.99,
  currency: 'usd',
  type: 'SUBSCRIPTION',
  interval: { type: 'MONTHLY', count: 1 },
  active: true,
  status: 'ACTIVE',
}

describe('the price of an offer', () => {
  it.each<[string, Partial<typeof monthly>]>([
    ['$4.99 a month', {}],
    ['$4.99 a month plus tax', { taxBehavior: 'exclusive' }],
    ['$4.99 a month including tax', { taxBehavior: 'inclusive' }],
    [
      '$49.99 a year plus tax',
      { amount: 49.99, interval: { type: 'YEARLY', count: 1 }, taxBehavior: 'exclusive' },
    ],
    ['$4.99', { interval: null }],
    ['¥499 a month', { amount: 499, currency: 'jpy' }],
    ['KWD 1.500 a month', { amount: 1.5, currency: 'kwd' }],
    ['ISK 499 a month', { amount: 499, currency: 'isk' }],
    // Intl has no decimals for this currency, and Stripe charges two.
    ['ALL 499.50 a month', { amount: 499.5, currency: 'all' }],
  ])('is %s', (text, change) => {
    expect(formatOffer({ ...monthly, ...change }).replace('\u00a0', ' ')).toBe(text)
  })
})

describe('the price of renewals', () => {
  it.each([
    ['America/New_York', 'March 1, 2027 (UTC)'],
    ['Europe/Berlin', 'March 1, 2027'],
    ['Asia/Tokyo', 'March 1, 2027'],
  ])('has each discount with its last day as Stripe counts it, on a site in %s', (timeZone, day) => {
    const amounts = [
      { from: '2026-12-01T03:00:00.000Z', amount: 0, tax: 0 },
      { from: '2027-03-01T03:00:00.000Z', amount: 2.72, tax: 0.22 },
      { from: '2027-06-01T13:00:00.000Z', amount: 5.43, tax: 0.44 },
    ]
    const renewal = { interval: 'MONTHLY', taxBehavior: 'exclusive', amounts } as const
    expect(formatRenewal(renewal, 'usd', timeZone)).toBe(
      `$0.00 a month until ${day}, then $2.50 a month until June 1, 2027, then $4.99 a month, plus tax`,
    )
  })
})
