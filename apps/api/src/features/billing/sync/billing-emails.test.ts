import { describe, expect, it } from 'vitest'
import type { Invoice } from '#integrations/payments/payment-gateway.ts'
import { type ConnectionChange, emailsAbout, paidInvoice } from '#test/factories/billing-emails.ts'
import { testRenewal } from '#test/factories/subscriptions.ts'

const periodEndsAt = new Date('2026-12-20T17:00:00Z')
const dueAt = new Date('2026-11-20T17:00:00Z')
/** When the stored state was stored, in one sync and in another. */
const [earlier, later] = [new Date('2026-08-20T17:00:00Z'), new Date('2026-11-20T17:00:00Z')]
const payUrl = paidInvoice.url

function causesOf(change: ConnectionChange, storedAt: Date): string[] {
  return emailsAbout(change, storedAt).map(({ cause }) => cause)
}

const money = { amount: 499, currency: 'usd', interval: 'MONTHLY' }
const nextBillingDate = periodEndsAt.toISOString()
const toYearly = { schedule: { id: 'sch_1', nextPriceId: 'price_2' } }
const yearly = { planId: 'pln_yearly', priceId: 'prc_yearly', amount: 4_999, interval: 'yearly' } as const
const unpaid: Invoice = { ...paidInvoice, isPaid: false, paidAt: null }
const fromMonthlyToYearly = { fromPlanName: 'Monthly', toPlanName: 'Yearly' }
const canceled = { status: 'CANCELED', active: false }
const owing = { status: 'PAST_DUE', pastDueAt: dueAt }
const closed = { ...owing, status: 'UNPAID', active: false }

describe('billingEmailsFor', () => {
  it.each<[string, ConnectionChange, object]>([
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
        as: { priceId: 'price_2', latestInvoice: { ...paidInvoice, amount: 2_250, priceIds: ['price_2'] } },
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
    [
      'for a payment that succeeded after a failure, with the receipt',
      { before: owing },
      {
        kind: 'payment-received',
        planName: 'Monthly',
        ...money,
        charged: 450,
        nextBillingDate,
        invoiceUrl: payUrl,
      },
    ],
    [
      'for a plan that reopened with a payment',
      { before: closed },
      { kind: 'plan-reopened', charged: 450, invoiceUrl: payUrl },
    ],
    [
      'for a plan that reopened because its invoice was voided',
      { before: closed, as: { latestInvoice: unpaid } },
      { kind: 'plan-reopened', charged: null, invoiceUrl: null },
    ],
    [
      'for a paused plan that reopened',
      { before: { status: 'PAUSED', active: false } },
      { kind: 'plan-reopened', charged: 450 },
    ],
    [
      'about the other plan that was paid after a failure',
      { before: closed, after: yearly },
      { kind: 'plan-changed' },
    ],
  ])('sends an email %s', (_name, change, expected) => {
    const [first, ...more] = emailsAbout(change)
    expect(first?.email).toMatchObject(expected)
    expect(more).toEqual([])
  })

  it.each<[string, ConnectionChange]>([
    ['without a change', {}],
    ['for a failed payment whose invoice was voided', { before: owing, as: { latestInvoice: unpaid } }],
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
    expect(emailsAbout(change)).toEqual([])
  })

  it('sends several emails for one sync with several changes', () => {
    const kinds = emailsAbout({
      before: { endsAt: periodEndsAt },
      after: { ...yearly, nextPriceId: null },
    }).map(({ email }) => email.kind)
    expect(kinds).toEqual(['plan-changed', 'subscription-resumed'])
  })
})

describe('the cause of a billing email', () => {
  it.each<[string, ConnectionChange, string]>([
    ['a new plan', { before: null }, 'subscribed sub_1'],
    ['the end of a subscription', { after: canceled, as: { status: 'canceled' } }, 'ended sub_1'],
    [
      'a failed payment',
      { after: owing, as: { status: 'past_due', latestInvoice: unpaid } },
      'unpaid in_2 sub_1',
    ],
    ['a payment after a failure', { before: owing }, 'recovered in_2 sub_1'],
    ['a reopened plan', { before: closed }, 'recovered in_2 sub_1'],
  ])('is the same in every sync: %s', (_name, change, cause) => {
    expect(causesOf(change, earlier)).toEqual([cause])
    expect(causesOf(change, later)).toEqual([cause])
  })

  it.each<[string, ConnectionChange]>([
    ['a scheduled cancellation', { after: { endsAt: periodEndsAt } }],
    ['a resumed subscription', { before: { endsAt: periodEndsAt } }],
    ['another plan', { after: yearly }],
    ['a scheduled change', { after: { nextPriceId: 'prc_yearly' }, as: toYearly }],
  ])('is stable, and differs when the change happens again: %s', (_name, change) => {
    expect(causesOf(change, earlier)).toEqual(causesOf(change, new Date(earlier)))
    expect(causesOf(change, earlier)).not.toEqual(causesOf(change, later))
  })
})
