import { describe, expect, it } from 'vitest'
import { noticeOf, type ToldRenewal, type UpcomingRenewal } from './renewal-notice.ts'

const dayMs = 24 * 3_600_000
const now = new Date('2026-11-20T17:00:00Z')
const never: ToldRenewal = { renewsAt: null, amount: null, currency: null }

const inDays = (days: number) => new Date(now.getTime() + days * dayMs)

function renewal(days: number, changes: Partial<UpcomingRenewal> = {}): UpcomingRenewal {
  return {
    renewsAt: inDays(days),
    planName: 'Yearly',
    interval: 'YEARLY',
    next: null,
    amount: 4_999,
    currency: 'usd',
    paidAmount: 4_999,
    ...changes,
  }
}

const monthly = { planName: 'Monthly', interval: 'MONTHLY', amount: 499, paidAmount: 499 } as const
const dearer = { ...monthly, paidAmount: 249 }
const toMonthly = {
  next: { planName: 'Monthly', interval: 'MONTHLY' },
  amount: 499,
} as const
const told = (days: number, amount = 4_999): ToldRenewal => ({
  renewsAt: inDays(days),
  amount,
  currency: 'usd',
})

describe('noticeOf', () => {
  it.each<[string, UpcomingRenewal, ToldRenewal, object]>([
    [
      '30 days before a yearly renewal',
      renewal(30),
      never,
      { isPriceChange: false, isCorrected: false, former: null },
    ],
    ['16 days before a yearly renewal', renewal(16), never, { amount: 4_999, interval: 'YEARLY' }],
    [
      'for a yearly renewal with another price, one for both',
      renewal(30, { amount: 3_999 }),
      never,
      { amount: 3_999, former: { amount: 4_999, currency: 'usd', interval: 'YEARLY' }, isPriceChange: false },
    ],
    [
      'for a yearly plan that becomes another one',
      renewal(30, toMonthly),
      never,
      {
        nextPlanName: 'Monthly',
        amount: 499,
        interval: 'MONTHLY',
        former: { amount: 4_999, interval: 'YEARLY' },
      },
    ],
    [
      '21 days before an ended discount or changed tax',
      renewal(21, dearer),
      never,
      { amount: 499, former: { amount: 249, interval: 'MONTHLY' }, isPriceChange: true },
    ],
    ['8 days before a lower price', renewal(8, { ...monthly, amount: 249 }), never, { amount: 249 }],
    [
      'before a scheduled change, even if the current price is unknown',
      renewal(20, { ...monthly, next: { planName: 'Basic', interval: 'MONTHLY' }, paidAmount: null }),
      never,
      { nextPlanName: 'Basic', former: null, isPriceChange: true },
    ],
    ['for the renewal after the one that was told', renewal(30), told(-335), { isCorrected: false }],
    [
      'if the amount has changed since',
      renewal(20, { amount: 5_499 }),
      told(20),
      { amount: 5_499, isCorrected: true },
    ],
    ['if the day has changed since', renewal(22), told(20), { isCorrected: true }],
    [
      'if a price change was taken back',
      renewal(10, monthly),
      told(10, 599),
      { amount: 499, isCorrected: true, former: null },
    ],
    [
      'if the amount has changed on the last day',
      renewal(1, { amount: 5_499 }),
      told(1),
      { isCorrected: true },
    ],
  ])('returns a notice %s', (_name, upcoming, earlier, expected) => {
    expect(noticeOf(upcoming, earlier, now)).toMatchObject({ kind: 'renewal-notice', ...expected })
  })

  it.each<[string, UpcomingRenewal, ToldRenewal]>([
    ['31 days before a yearly renewal', renewal(31), never],
    ['later than the law allows', renewal(15.9), never],
    ['for a yearly plan that was bought 10 days before it renews', renewal(10, { paidAmount: null }), never],
    ['for a yearly plan that was bought 10 days ago', renewal(355), never],
    ['before a monthly renewal at the same price', renewal(20, monthly), never],
    ['22 days before a change of price', renewal(22, dearer), never],
    ['less than a week before a change of price', renewal(6, dearer), never],
    [
      'for a plan whose price was never charged for a whole period',
      renewal(20, { ...monthly, paidAmount: null }),
      never,
    ],
    ['twice', renewal(20), told(20)],
    ['for another hour of the same day', renewal(20.1), told(20)],
    ['after the renewal', renewal(-0.1), never],
  ])('returns none %s', (_name, upcoming, earlier) => {
    expect(noticeOf(upcoming, earlier, now)).toBeNull()
  })
})
