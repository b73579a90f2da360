import { describe, expect, it } from 'vitest'
import type { Invoice, Subscription } from '#integrations/payments/payment-gateway.ts'
import type { PriceRow } from '../prices/prices.repository.ts'
import { billingEmailsFor } from './billing-emails.ts'
import type { ConnectionState, StoredConnection } from './plan-connections.repository.ts'
import type { Renewals } from './renewals.ts'

const createdAt = new Date('2026-08-20T17:00:00Z')
const periodEndsAt = new Date('2026-12-20T17:00:00Z')
const dueAt = new Date('2026-11-20T17:00:00Z')
const dayMs = 24 * 3_600_000
const payUrl = 'https://pay.example.com/in_2'

const invoice: Invoice = {
  ...{ id: 'in_2', isPaid: true, amount: 450, currency: 'usd' },
  ...{ createdAt: dueAt, paidAt: dueAt, url: payUrl, priceIds: ['price_1'] },
}

const subscription: Subscription = {
  ...{ id: 'sub_1', customerId: 'cus_1', status: 'active', createdAt, itemId: 'si_1' },
  ...{ productId: 'prod_none', appId: null, memberId: null, isShared: false },
  ...{ priceId: 'price_1', price: { amount: 499, currency: 'usd', interval: 'monthly' } },
  ...{ periodStartsAt: dueAt, periodEndsAt, endsAt: null, endedAt: null, cancelReason: null, schedule: null },
  ...{ latestInvoice: invoice, unpaidSince: null, isAdjusted: false },
}

const state: ConnectionState = {
  ...{ planId: 'pln_monthly', subscriptionId: 'sub_1', priceId: 'prc_monthly', status: 'ACTIVE' },
  ...{ active: true, amount: 499, currency: 'usd', interval: 'monthly', lastBilledAt: dueAt },
  ...{ periodEndsAt, endsAt: null, pastDueAt: null, nextPriceId: null },
}

/** Dearer by now; whoever it is scheduled for pays what was asked then. */
const yearlyPrice: PriceRow = {
  ...{ id: 'price_2', planId: 'pln_yearly', priceId: 'prc_yearly', productId: 'prod_1', appId: 'app_1' },
  ...{ amount: 4_500, currency: 'usd', interval: 'yearly', current: false },
}

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

/** What is told when a stored connection becomes another one; `before` is null when there was none. */
function told({ before = {}, after = {}, as = {}, renewals = new Map() }: Change, syncNumber = 5) {
  const row: StoredConnection = {
    ...{ id: 'con_1', memberId: 'mem_1', type: 'subscription', createdAt },
    ...state,
    ...before,
  }
  return billingEmailsFor(
    {
      stored: before === null ? [] : [row],
      wanted: [{ ...state, ...after }],
      subscriptions: [{ ...subscription, ...as }],
    },
    { ...names, renewals, syncNumber },
  )
}

const money = { amount: 499, currency: 'usd', interval: 'MONTHLY' }
const nextBillingDate = periodEndsAt.toISOString()
const toYearly = { schedule: { id: 'sch_1', nextPriceId: 'price_2' } }
const yearly = { planId: 'pln_yearly', priceId: 'prc_yearly', amount: 4_999, interval: 'yearly' } as const
const unpaid: Invoice = { ...invoice, isPaid: false, paidAt: null }
const owing = { status: 'PAST_DUE', pastDueAt: dueAt }

describe('a member is told', () => {
  it.each<[string, Change, object]>([
    [
      'of a plan that begins',
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
      'of one that begins free of charge',
      { before: null, as: { latestInvoice: null, status: 'trialing' } },
      { kind: 'subscribed', invoiceUrl: null },
    ],
    [
      'of another plan',
      { after: yearly },
      {
        kind: 'plan-changed',
        fromPlanName: 'Monthly',
        toPlanName: 'Yearly',
        amount: 4_999,
        currency: 'usd',
        interval: 'YEARLY',
        nextBillingDate,
        wasScheduled: false,
      },
    ],
    [
      'of another plan that had been waiting',
      { before: { nextPriceId: 'prc_yearly' }, after: yearly },
      { kind: 'plan-changed', toPlanName: 'Yearly', wasScheduled: true },
    ],
    [
      'of what is owed, and until when',
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
      'of what is owed when the plan is closed already',
      { after: { ...owing, active: false }, as: { status: 'unpaid', latestInvoice: unpaid } },
      { kind: 'payment-failed', accessUntil: null },
    ],
    [
      'of what is owed when no invoice is known',
      { after: owing, as: { status: 'past_due', latestInvoice: null } },
      { kind: 'payment-failed', amount: 499, payUrl: null },
    ],
    [
      'of a change to come, for the price that waits',
      { after: { nextPriceId: 'prc_yearly' }, as: toYearly },
      {
        kind: 'plan-change-scheduled',
        fromPlanName: 'Monthly',
        toPlanName: 'Yearly',
        amount: 4_500,
        currency: 'usd',
        interval: 'YEARLY',
        at: nextBillingDate,
      },
    ],
    [
      'of what an upgrade was charged, and of its renewals with their discount',
      {
        after: yearly,
        as: { priceId: 'price_2', latestInvoice: { ...invoice, amount: 2_250, priceIds: ['price_2'] } },
        renewals: new Map([['sub_1 price_2', { amount: 2_499, regularAmount: 4_999, currency: 'usd' }]]),
      },
      { kind: 'plan-changed', charged: 2_250, amount: 2_499, regularAmount: 4_999, interval: 'YEARLY' },
    ],
    [
      'of no charge when none was made for the new plan',
      { after: yearly, as: { priceId: 'price_2' } },
      { kind: 'plan-changed', charged: null },
    ],
    [
      'of a change to come, with the discount that will apply',
      {
        after: { nextPriceId: 'prc_yearly' },
        as: toYearly,
        renewals: new Map([['sub_1 price_2', { amount: 2_250, regularAmount: 2_250, currency: 'usd' }]]),
      },
      { kind: 'plan-change-scheduled', amount: 2_250, regularAmount: 2_250 },
    ],
    [
      'of a change that will not come',
      { before: { nextPriceId: 'prc_yearly' } },
      {
        kind: 'plan-change-canceled',
        fromPlanName: 'Monthly',
        toPlanName: 'Yearly',
        ...money,
        nextBillingDate,
      },
    ],
    [
      'of the end after the last failed payment',
      {
        after: { status: 'CANCELED', active: false },
        as: { status: 'canceled', cancelReason: 'payment_failed' },
      },
      { kind: 'subscription-ended-unpaid', planName: 'Monthly' },
    ],
    [
      'of the end to come',
      { after: { endsAt: periodEndsAt } },
      { kind: 'subscription-ending', planName: 'Monthly', endsAt: nextBillingDate },
    ],
    [
      'of the end that will not come',
      { before: { endsAt: periodEndsAt } },
      { kind: 'subscription-resumed', planName: 'Monthly', nextBillingDate },
    ],
    [
      'of the end',
      { after: { status: 'CANCELED', active: false }, as: { status: 'canceled' } },
      { kind: 'subscription-ended', planName: 'Monthly' },
    ],
    [
      'of the time of grace that is over',
      {
        before: owing,
        after: { ...owing, active: false },
        as: { status: 'past_due', latestInvoice: unpaid },
      },
      { kind: 'plan-closed', planName: 'Monthly', amount: 450, currency: 'usd', payUrl },
    ],
    [
      'of a trial that ends where nothing can be charged',
      {
        before: { status: 'TRIALING' },
        after: { status: 'PAUSED', active: false },
        as: { status: 'paused' },
      },
      { kind: 'plan-closed', planName: 'Monthly', amount: 499, currency: 'usd', payUrl: null },
    ],
    [
      'of the end of what the payment service knows no more',
      { after: { status: 'CANCELED', active: false }, as: { id: 'sub_other' } },
      { kind: 'subscription-ended', planName: 'Monthly' },
    ],
    [
      'of a dispute',
      {
        after: { status: 'CANCELED', active: false },
        as: { status: 'canceled', cancelReason: 'payment_disputed' },
      },
      { kind: 'payment-disputed', planName: 'Monthly' },
    ],
  ])('%s', (_name, change, expected) => {
    const [first, ...more] = told(change)
    expect(first?.email).toMatchObject(expected)
    expect(more).toEqual([])
  })

  it.each<[string, Change]>([
    ['of nothing new', {}],
    [
      'of a renewal',
      { after: { lastBilledAt: periodEndsAt, periodEndsAt: new Date('2027-01-20T17:00:00Z') } },
    ],
    ['of a first payment that waits', { before: null, after: { active: false } }],
    ['of an end that was told before', { before: { endsAt: periodEndsAt }, after: { endsAt: periodEndsAt } }],
    ['of what was owed before', { before: owing, after: owing, as: { status: 'past_due' } }],
    [
      'of the time of grace that was over before',
      {
        before: { ...owing, active: false },
        after: { ...owing, active: false, status: 'UNPAID' },
        as: { status: 'unpaid' },
      },
    ],
    [
      'of an end that they were told of, and that the payment service forgets',
      { before: { status: 'CANCELED' }, after: { status: 'CANCELED' }, as: { id: 'sub_other' } },
    ],
    [
      'of a change that was told before',
      { before: { nextPriceId: 'prc_yearly' }, after: { nextPriceId: 'prc_yearly' } },
    ],
    [
      'of an end that they were told of',
      { before: { status: 'CANCELED' }, after: { status: 'CANCELED' }, as: { status: 'canceled' } },
    ],
    [
      'of the end of what they never heard of',
      { before: null, after: { status: 'CANCELED' }, as: { status: 'canceled' } },
    ],
  ])('nothing %s', (_name, change) => {
    expect(told(change)).toEqual([])
  })

  it('in one reading of all that happened', () => {
    const kinds = told({
      before: { endsAt: periodEndsAt },
      after: { ...yearly, nextPriceId: null },
    }).map(({ email }) => email.kind)
    expect(kinds).toEqual(['plan-changed', 'subscription-resumed'])
  })
})

describe('the cause of a notice', () => {
  it.each<[string, Change]>([
    ['the beginning', { before: null }],
    ['the end', { after: { status: 'CANCELED' }, as: { status: 'canceled' } }],
    ['what is owed', { after: owing, as: { status: 'past_due', latestInvoice: unpaid } }],
  ])('is the same whenever it is read: %s', (_name, change) => {
    const causes = (syncNumber: number) => told(change, syncNumber).map(({ cause }) => cause)
    expect(causes(6)).toEqual(causes(7))
    expect(causes(6)[0]).toContain('sub_1')
  })

  it.each<[string, Change]>([
    ['the end to come', { after: { endsAt: periodEndsAt } }],
    ['the end that will not come', { before: { endsAt: periodEndsAt } }],
    ['another plan', { after: yearly }],
    ['a change to come', { after: { nextPriceId: 'prc_yearly' }, as: toYearly }],
  ])('is another one when it happens again: %s', (_name, change) => {
    const causes = (syncNumber: number) => told(change, syncNumber).map(({ cause }) => cause)
    expect(causes(6)).not.toEqual(causes(7))
  })
})
