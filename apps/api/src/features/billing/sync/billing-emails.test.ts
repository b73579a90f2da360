import { describe, expect, it } from 'vitest'
import type { Invoice, Subscription } from '#integrations/payments/payment-gateway.ts'
import {
  testConnectionState,
  testInvoice,
  testPrice,
  testRenewal,
  testSubscription,
} from '#test/factories/subscriptions.ts'
import { billingEmailsFor } from './billing-emails.ts'
import type { ConnectionState, StoredConnection } from './plan-connections.repository.ts'
import type { Renewals } from './renewals.ts'

const createdAt = new Date('2026-08-20T17:00:00Z')
const periodEndsAt = new Date('2026-12-20T17:00:00Z')
const dueAt = new Date('2026-11-20T17:00:00Z')
const dayMs = 24 * 3_600_000
const payUrl = 'https://pay.example.com/in_2'

const invoice = testInvoice({ id: 'in_2', amount: 450, url: payUrl, priceIds: ['price_1'] })

/** No longer sold; members with a scheduled change still pay its amount. */
const yearlyPrice = testPrice('price_2', 'pln_yearly', {
  priceId: 'prc_yearly',
  amount: 4_500,
  interval: 'yearly',
  current: false,
})

const names = {
  planName: (planId: string) => ({ pln_monthly: 'Monthly', pln_yearly: 'Yearly' })[planId] ?? 'Tidings',
  prices: new Map([['price_2', yearlyPrice]]),
  graceMs: 7 * dayMs,
}

type Change = {
  before?: Partial<ConnectionState> | null
  after?: Partial<ConnectionState>
  as?: Partial<Subscription>
  renewals?: Renewals
}

/** Returns the emails for a change of a stored connection; `before` is null when there was none. */
function emailsFor({ before = {}, after = {}, as = {}, renewals = new Map() }: Change, storedAt = createdAt) {
  const row: StoredConnection = {
    id: 'con_1',
    memberId: 'mem_1',
    type: 'subscription',
    createdAt,
    ...testConnectionState,
    ...before,
  }
  return billingEmailsFor(
    {
      stored: before === null ? [] : [row],
      wanted: [{ ...testConnectionState, ...after }],
      subscriptions: [testSubscription({ createdAt, priceId: 'price_1', latestInvoice: invoice, ...as })],
    },
    { ...names, renewals, storedAt },
  )
}

const money = { amount: 499, currency: 'usd', interval: 'MONTHLY' }
const nextBillingDate = periodEndsAt.toISOString()
const toYearly = { schedule: { id: 'sch_1', nextPriceId: 'price_2' } }
const yearly = { planId: 'pln_yearly', priceId: 'prc_yearly', amount: 4_999, interval: 'yearly' } as const
const unpaid: Invoice = { ...invoice, isPaid: false, paidAt: null }
const fromMonthlyToYearly = { fromPlanName: 'Monthly', toPlanName: 'Yearly' }
const canceled = { status: 'CANCELED', active: false }
const owing = { status: 'PAST_DUE', pastDueAt: dueAt }

describe('billingEmailsFor', () => {
  it.each<[string, Change, object]>([
    [
      'for a new plan',
      { before: null },
      {
        kind: 'subscribed',
        planName: 'Monthly',
        ...money,
        charged: 450,
        nextBillingDate,
        invoiceUrl: payUrl,
      },
    ],
    [
      'for a new plan with a trial',
      { before: null, as: { latestInvoice: null, status: 'trialing' } },
      { kind: 'subscribed', invoiceUrl: null },
    ],
    [
      'for another plan',
      { after: yearly },
      {
        kind: 'plan-changed',
        ...fromMonthlyToYearly,
        amount: 4_999,
        currency: 'usd',
        interval: 'YEARLY',
        nextBillingDate,
        wasScheduled: false,
      },
    ],
    [
      'for a scheduled change that applies',
      { before: { nextPriceId: 'prc_yearly' }, after: yearly },
      { kind: 'plan-changed', toPlanName: 'Yearly', wasScheduled: true },
    ],
    [
      'for a failed payment, with the end of access',
      { after: owing, as: { status: 'past_due', latestInvoice: unpaid } },
      {
        kind: 'payment-failed',
        planName: 'Monthly',
        amount: 450,
        currency: 'usd',
        payUrl,
        accessUntil: '2026-11-27T17:00:00.000Z',
      },
    ],
    [
      'for a failed payment when the plan is already closed',
      { after: { ...owing, active: false }, as: { status: 'unpaid', latestInvoice: unpaid } },
      { kind: 'payment-failed', accessUntil: null },
    ],
    [
      'for a failed payment without an invoice',
      { after: owing, as: { status: 'past_due', latestInvoice: null } },
      { kind: 'payment-failed', amount: 499, payUrl: null },
    ],
    [
      'for a scheduled change, with its price',
      { after: { nextPriceId: 'prc_yearly' }, as: toYearly },
      {
        kind: 'plan-change-scheduled',
        ...fromMonthlyToYearly,
        amount: 4_500,
        currency: 'usd',
        interval: 'YEARLY',
        at: nextBillingDate,
      },
    ],
    [
      'for an upgrade, with its charge and discounted renewals',
      {
        after: yearly,
        as: { priceId: 'price_2', latestInvoice: { ...invoice, amount: 2_250, priceIds: ['price_2'] } },
        renewals: new Map([['sub_1 price_2', testRenewal(2_499, 4_999)]]),
      },
      { kind: 'plan-changed', charged: 2_250, amount: 2_499, regularAmount: 4_999, interval: 'YEARLY' },
    ],
    [
      'for a change without a charge',
      { after: yearly, as: { priceId: 'price_2' } },
      { kind: 'plan-changed', charged: null },
    ],
    [
      'for a scheduled change, with the discount that will apply',
      {
        after: { nextPriceId: 'prc_yearly' },
        as: toYearly,
        renewals: new Map([['sub_1 price_2', testRenewal(2_250)]]),
      },
      { kind: 'plan-change-scheduled', amount: 2_250, regularAmount: 2_250 },
    ],
    [
      'for a canceled change',
      { before: { nextPriceId: 'prc_yearly' } },
      {
        kind: 'plan-change-canceled',
        ...fromMonthlyToYearly,
        ...money,
        nextBillingDate,
      },
    ],
    [
      'for a cancellation after the last failed payment',
      { after: canceled, as: { status: 'canceled', cancelReason: 'payment_failed' } },
      { kind: 'subscription-ended-unpaid', planName: 'Monthly' },
    ],
    [
      'for a scheduled cancellation',
      { after: { endsAt: periodEndsAt } },
      { kind: 'subscription-ending', planName: 'Monthly', endsAt: nextBillingDate },
    ],
    [
      'for a resumed subscription',
      { before: { endsAt: periodEndsAt } },
      { kind: 'subscription-resumed', planName: 'Monthly', nextBillingDate, cost: { amount: 499 } },
    ],
    [
      'for the end of a subscription',
      { after: canceled, as: { status: 'canceled' } },
      { kind: 'subscription-ended', planName: 'Monthly' },
    ],
    [
      'for the end of the grace period',
      {
        before: owing,
        after: { ...owing, active: false },
        as: { status: 'past_due', latestInvoice: unpaid },
      },
      { kind: 'plan-closed', planName: 'Monthly', amount: 450, currency: 'usd', payUrl },
    ],
    [
      'for the end of a trial without a card',
      {
        before: { status: 'TRIALING' },
        after: { status: 'PAUSED', active: false },
        as: { status: 'paused' },
      },
      { kind: 'plan-closed', planName: 'Monthly', amount: 499, currency: 'usd', payUrl: null },
    ],
    [
      'for the end of a subscription that is gone at Stripe',
      { after: canceled, as: { id: 'sub_other' } },
      { kind: 'subscription-ended', planName: 'Monthly' },
    ],
    [
      'for a dispute',
      { after: canceled, as: { status: 'canceled', cancelReason: 'payment_disputed' } },
      { kind: 'payment-disputed', planName: 'Monthly' },
    ],
  ])('sends an email %s', (_name, change, expected) => {
    const [first, ...more] = emailsFor(change)
    expect(first?.email).toMatchObject(expected)
    expect(more).toEqual([])
  })

  it.each<[string, Change]>([
    ['without a change', {}],
    [
      'for a paid renewal',
      { after: { lastBilledAt: periodEndsAt, periodEndsAt: new Date('2027-01-20T17:00:00Z') } },
    ],
    ['for an incomplete first payment', { before: null, after: { active: false } }],
    [
      'for a scheduled cancellation that is unchanged',
      { before: { endsAt: periodEndsAt }, after: { endsAt: periodEndsAt } },
    ],
    ['for a failed payment that is unchanged', { before: owing, after: owing, as: { status: 'past_due' } }],
    [
      'for a grace period that ended before',
      {
        before: { ...owing, active: false },
        after: { ...owing, active: false, status: 'UNPAID' },
        as: { status: 'unpaid' },
      },
    ],
    [
      'for an ended subscription that is gone at Stripe',
      { before: { status: 'CANCELED' }, after: { status: 'CANCELED' }, as: { id: 'sub_other' } },
    ],
    [
      'for a scheduled change that is unchanged',
      { before: { nextPriceId: 'prc_yearly' }, after: { nextPriceId: 'prc_yearly' } },
    ],
    [
      'for an ended subscription that is unchanged',
      { before: { status: 'CANCELED' }, after: { status: 'CANCELED' }, as: { status: 'canceled' } },
    ],
    [
      'for an ended subscription that was never stored',
      { before: null, after: { status: 'CANCELED' }, as: { status: 'canceled' } },
    ],
  ])('sends no email %s', (_name, change) => {
    expect(emailsFor(change)).toEqual([])
  })

  it('sends several emails for one sync with several changes', () => {
    const kinds = emailsFor({
      before: { endsAt: periodEndsAt },
      after: { ...yearly, nextPriceId: null },
    }).map(({ email }) => email.kind)
    expect(kinds).toEqual(['plan-changed', 'subscription-resumed'])
  })
})

describe('the cause of a billing email', () => {
  it.each<[string, Change]>([
    ['a new plan', { before: null }],
    ['the end of a subscription', { after: { status: 'CANCELED' }, as: { status: 'canceled' } }],
    ['a failed payment', { after: owing, as: { status: 'past_due', latestInvoice: unpaid } }],
  ])('is the same in every sync: %s', (_name, change) => {
    const causes = (storedAt: Date) => emailsFor(change, storedAt).map(({ cause }) => cause)
    expect(causes(createdAt)).toEqual(causes(dueAt))
    expect(causes(createdAt)[0]).toContain('sub_1')
  })

  it.each<[string, Change]>([
    ['a scheduled cancellation', { after: { endsAt: periodEndsAt } }],
    ['a resumed subscription', { before: { endsAt: periodEndsAt } }],
    ['another plan', { after: yearly }],
    ['a scheduled change', { after: { nextPriceId: 'prc_yearly' }, as: toYearly }],
  ])('is stable, and differs when the change happens again: %s', (_name, change) => {
    const causes = (storedAt: Date) => emailsFor(change, storedAt).map(({ cause }) => cause)
    expect(causes(createdAt)).toEqual(causes(new Date(createdAt)))
    expect(causes(createdAt)).not.toEqual(causes(dueAt))
  })
})
