import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import { describe, expect, it } from 'vitest'
import { planChangeMessage } from './plan-change-message.ts'

const site = { timeZone: 'America/Los_Angeles', language: 'en' }
const yearly = {
  planId: 'pln_yearly',
  planName: 'Yearly',
  priceId: 'prc_yearly',
  amount: 49.99,
  currency: 'usd',
  interval: 'YEARLY' as const,
}
const monthly = {
  planId: 'pln_monthly',
  planName: 'Monthly',
  priceId: 'prc_monthly',
  amount: 4.99,
  currency: 'usd',
  interval: 'MONTHLY' as const,
}
const atOnce: PlanChangeTerms = {
  from: monthly,
  to: yearly,
  effective: 'now',
  effectiveAt: '2026-11-20T17:00:00.000Z',
  amountDue: 45,
  currency: 'usd',
  proratedAt: '2026-11-20T17:00:00.000Z',
  renewalAmount: 49.99,
  regularAmount: 49.99,
}
const later: PlanChangeTerms = {
  from: yearly,
  to: monthly,
  effective: 'period-end',
  // 9 p.m. of the previous day in Los Angeles.
  effectiveAt: '2026-12-21T05:00:00.000Z',
  amountDue: 0,
  currency: 'usd',
  proratedAt: '2026-11-20T17:00:00.000Z',
  renewalAmount: 4.99,
  regularAmount: 4.99,
}

describe('planChangeMessage', () => {
  it('says that nothing is charged when credit covers the amount', () => {
    expect(planChangeMessage({ ...atOnce, amountDue: 0 }, 'preview', site)).toContain('You pay nothing today')
  })

  it.each([
    [null, 'It renews for $25.00 a year until November 20, 2029, then $49.99 a year.'],
    ['exclusive', 'It renews for $25.00 a year until November 20, 2029, then $49.99 a year, plus tax.'],
  ] as const)('shows the renewal price instead of the list price: %s', (taxBehavior, sentence) => {
    const [next, regular] = taxBehavior === null ? [0, 0] : [2, 4]
    const amounts = [
      { from: '2027-11-20T17:00:00.000Z', amount: 25 + next, tax: next },
      { from: '2029-11-20T17:00:00.000Z', amount: 49.99 + regular, tax: regular },
    ]
    const renewal = { interval: 'YEARLY' as const, taxBehavior, amounts }
    const terms = { ...atOnce, amountDue: 22.5, renewalAmount: 25 + next, renewal }
    expect(planChangeMessage(terms, 'preview', site)).toBe(
      `Yearly starts now. You pay $22.50 today. ${sentence}`,
    )
  })

  it.each([
    [site.timeZone, 'December 21, 2026 (UTC)'],
    ['UTC', 'December 21, 2026'],
    ['Asia/Tokyo', 'December 21, 2026'],
  ])('dates a scheduled change in UTC, and names UTC where the day differs in %s', (timeZone, day) => {
    expect(planChangeMessage(later, 'preview', { ...site, timeZone })).toBe(
      `You keep Yearly until ${day}. Then Monthly starts for $4.99 a month.`,
    )
  })

  it('writes amounts and dates in the language of the site', () => {
    const german = { ...site, language: 'de' }
    expect(planChangeMessage(atOnce, 'done', german)).toContain(
      'You paid 45,00\u00a0$ today. It renews for 49,99\u00a0$',
    )
    expect(planChangeMessage(later, 'preview', german)).toContain('until 21. Dezember 2026')
  })

  it.each([
    ['preview', "You'll stay on Yearly."],
    ['done', "You're staying on Yearly."],
  ] as const)('describes staying on the plan: %s', (tense, sentence) => {
    expect(planChangeMessage({ ...atOnce, from: yearly }, tense, site)).toBe(sentence)
  })
})
