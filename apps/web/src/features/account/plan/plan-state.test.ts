import type { PlanConnection } from '@tidings/contracts/membership/members'
import { describe, expect, it } from 'vitest'
import { wirePlanConnection } from '#testing/fake-membership.ts'
import { currentKind, describePlan, planStateOf } from './plan-state.ts'

const monthly = wirePlanConnection('monthly')
const yearly = wirePlanConnection('yearly', 90)
const free: PlanConnection = {
  ...monthly,
  id: 'con_free',
  planId: 'pln_free-1',
  planName: 'Free',
  type: 'FREE',
  payment: null,
}

function paying(connection: PlanConnection, payment: Partial<NonNullable<PlanConnection['payment']>>) {
  return connection.payment && { ...connection, payment: { ...connection.payment, ...payment } }
}

function describeOf(connections: (PlanConnection | null)[], timeZone = 'America/Los_Angeles'): string {
  const planConnections = connections.filter((connection) => connection !== null)
  return describePlan(planStateOf({ planConnections }), timeZone)
}

const from = '2026-12-01T18:00:00.000Z'
const discounted = [
  { from, amount: 4.5, tax: 0 },
  { from: '2027-03-01T18:00:00.000Z', amount: 9, tax: 0 },
]
const taxed = [{ from, amount: 9.79, tax: 0.79 }]

describe('the sentence about a plan', () => {
  it.each<[string, (PlanConnection | null)[]]>([
    ['You don’t have a plan yet.', []],
    ['You have the Free plan.', [free]],
    ['Monthly, $9.00 a month. It renews on December 1, 2026.', [free, monthly]],
    [
      'Yearly, $90.00 a year. It renews on December 1, 2026.',
      [{ ...monthly, active: false, status: 'CANCELED' }, yearly],
    ],
    [
      'Monthly ends on January 1, 2027 (UTC). Until then, you can resume it under “Billing and invoices”.',
      // Midnight in London is still the day before in Los Angeles.
      [paying(monthly, { cancelAtDate: '2027-01-01T00:00:00.000Z', nextBillingDate: null })],
    ],
    [
      'You keep Yearly until December 1, 2026. Then Monthly starts for $9.00 a month.',
      [paying(yearly, { nextPriceId: 'prc_monthly-plan-test', renewal: monthly.payment?.renewal })],
    ],
    [
      'You keep Yearly until December 1, 2026. Then Monthly starts.',
      [paying(yearly, { nextPriceId: 'prc_monthly-plan-test', renewal: undefined })],
    ],
    [
      'Monthly, $4.50 a month until March 1, 2027, then $9.00 a month. It renews on December 1, 2026.',
      [paying(monthly, { renewal: { interval: 'MONTHLY', taxBehavior: null, amounts: discounted } })],
    ],
    [
      'Monthly, $9.00 a month plus tax. It renews on December 1, 2026 for $9.79.',
      [paying(monthly, { renewal: { interval: 'MONTHLY', taxBehavior: 'exclusive', amounts: taxed } })],
    ],
    [
      'Monthly, $9.79 a month including tax. It renews on December 1, 2026.',
      [paying(monthly, { renewal: { interval: 'MONTHLY', taxBehavior: 'inclusive', amounts: taxed } })],
    ],
    ['Monthly. It renews on December 1, 2026.', [paying(monthly, { renewal: undefined })]],
    [
      'Your last payment for Monthly didn’t go through. Update your card to keep your plan.',
      [{ ...monthly, status: 'PAST_DUE' }],
    ],
    [
      'Monthly is on hold, because a payment didn’t go through. Update your card to continue.',
      [{ ...monthly, status: 'UNPAID', active: false }],
    ],
    [
      'Monthly ended on November 2, 2026.',
      [
        paying(
          { ...monthly, status: 'CANCELED', active: false },
          { cancelAtDate: '2026-11-02T18:00:00.000Z' },
        ),
      ],
    ],
  ])('is: %s', (sentence, connections) => {
    expect(describeOf(connections)).toBe(sentence)
  })

  it.each([
    ['America/Los_Angeles', 'December 21, 2026 (UTC)'],
    ['Europe/London', 'December 21, 2026'],
    ['Asia/Tokyo', 'December 21, 2026'],
  ])('names the day of the payment in UTC on a site in %s', (timeZone, day) => {
    const connection = paying(monthly, { nextBillingDate: '2026-12-21T05:00:00.000Z' })
    expect(describeOf([connection], timeZone)).toContain(`It renews on ${day}.`)
  })
})

describe('the kind of the current plan', () => {
  it.each<[string | null, PlanConnection[]]>([
    ['monthly', [free, monthly]],
    ['yearly', [{ ...yearly, active: false, status: 'PAST_DUE' }]],
    [null, [free, { ...monthly, active: false, status: 'CANCELED' }]],
  ])('is %s', (kind, planConnections) => {
    expect(currentKind({ planConnections })).toBe(kind)
  })
})
