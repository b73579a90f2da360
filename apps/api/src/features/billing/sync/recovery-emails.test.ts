import { describe, expect, it } from 'vitest'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import { testConnectionState, testInvoice, testSubscription } from '#test/factories/subscriptions.ts'
import { billingEmailsFor } from './billing-emails.ts'
import type { ConnectionState } from './plan-connections.repository.ts'

const createdAt = new Date('2026-08-20T17:00:00Z')
const url = 'https://pay.example.com/in_2'
const paid = testInvoice({ id: 'in_2', amount: 450, url, priceIds: ['price_1'] })
const voided = { ...paid, isPaid: false, paidAt: null }
const owing = { status: 'PAST_DUE', pastDueAt: new Date('2026-11-20T17:00:00Z') }
const closed = { ...owing, status: 'UNPAID', active: false }
const other = { planId: 'pln_yearly', priceId: 'prc_yearly', amount: 4_999, interval: 'yearly' } as const

type Recovery = {
  before: Partial<ConnectionState>
  after?: Partial<ConnectionState>
  as?: Partial<Subscription>
}

/** Returns the emails of a sync that finds a subscription in good standing again. */
function emailsFor({ before, after = {}, as = {} }: Recovery, storedAt = createdAt) {
  const row = { id: 'con_1', memberId: 'mem_1', type: 'subscription', createdAt } as const
  return billingEmailsFor(
    {
      stored: [{ ...row, ...testConnectionState, ...before }],
      wanted: [{ ...testConnectionState, ...after }],
      subscriptions: [testSubscription({ priceId: 'price_1', latestInvoice: paid, ...as })],
    },
    { planName: () => 'Monthly', prices: new Map(), graceMs: 0, renewals: new Map(), storedAt },
  )
}

describe('billingEmailsFor', () => {
  it.each<[string, Recovery, object]>([
    [
      'for a payment that succeeded after a failure, with the receipt',
      { before: owing },
      {
        kind: 'payment-received',
        planName: 'Monthly',
        amount: 499,
        interval: 'MONTHLY',
        charged: 450,
        nextBillingDate: '2026-12-20T17:00:00.000Z',
        invoiceUrl: url,
      },
    ],
    [
      'for a plan that reopened with a payment',
      { before: closed },
      { kind: 'plan-reopened', charged: 450, invoiceUrl: url },
    ],
    [
      'for a plan that reopened because its invoice was voided',
      { before: closed, as: { latestInvoice: voided } },
      { kind: 'plan-reopened', charged: null, invoiceUrl: null },
    ],
    [
      'for a paused plan that reopened',
      { before: { status: 'PAUSED', active: false } },
      { kind: 'plan-reopened', charged: 450 },
    ],
    [
      'about the other plan that was paid after a failure',
      { before: closed, after: other },
      { kind: 'plan-changed' },
    ],
  ])('sends one email %s', (_name, recovery, expected) => {
    const [first, ...more] = emailsFor(recovery)
    expect(first?.email).toMatchObject(expected)
    expect(more).toEqual([])
  })

  it.each<[string, Recovery]>([
    ['a failed payment whose invoice was voided', { before: owing, as: { latestInvoice: voided } }],
    ['a payment without a failure', { before: {} }],
  ])('sends none for %s', (_name, recovery) => {
    expect(emailsFor(recovery)).toEqual([])
  })

  it.each([
    ['payment', owing],
    ['reopened plan', closed],
  ])('names the invoice as the cause: a %s', (_name, before) => {
    const causes = [6, 7].map((day) =>
      emailsFor({ before }, new Date(2026, 10, day)).map(({ cause }) => cause),
    )
    expect(causes).toEqual([['recovered in_2 sub_1'], ['recovered in_2 sub_1']])
  })
})
