import { describe, expect, it } from 'vitest'
import type { ChargeFact, Facts, InvoiceFact, MailFact, ShownPlan, SubscriptionFact } from './facts.ts'
import { audit, type Violation } from './rules.ts'

const day = 86_400
const start = 1_800_000_000
const now = start + 10 * day
const planId = 'pln_monthly'

const subscription: SubscriptionFact = {
  id: 'sub_1',
  planId,
  status: 'active',
  created: start,
  endedAt: null,
  endsByItself: false,
  cancelAt: null,
  periodEnd: start + 30 * day,
  amount: 499,
  currency: 'usd',
}
const invoice: InvoiceFact = {
  id: 'in_1',
  subscriptionId: 'sub_1',
  isOwn: true,
  status: 'paid',
  reason: 'subscription_create',
  created: start,
  periodStart: start,
  periodEnd: start + 30 * day,
  total: 499,
  amountDue: 499,
  amountPaid: 499,
  isAdvancing: false,
  discountedSince: null,
}
const charge: ChargeFact = {
  id: 'ch_1',
  invoiceId: 'in_1',
  subscriptionId: 'sub_1',
  isOwn: true,
  at: start,
  amount: 499,
  refunds: [],
  isDisputed: false,
}
const plan: ShownPlan = {
  planId,
  isActive: true,
  amount: 499,
  currency: 'usd',
  nextBillingDate: subscription.periodEnd,
  cancelAtDate: null,
  renewalAmount: 499,
}
const welcome: MailFact = {
  at: start,
  subject: 'Your plan is active',
  text: 'Plan: Monthly\nCharged: $4.99\nPrice: $4.99 a month',
}

/** A member who pays monthly, and nothing is wrong. */
const paying: Facts = {
  now,
  graceSeconds: 4 * day,
  deletedAt: null,
  subscriptions: [subscription],
  invoices: [invoice],
  charges: [charge],
  shown: ['API 1', 'API 2'].map((process) => ({ process, plans: [plan] })),
  mails: [welcome],
  agreements: [],
  announcements: [],
  prices: new Set([499, 4_999]),
}

const shows = (change: Partial<ShownPlan>) => [
  ...paying.shown.slice(0, 1),
  { process: 'API 2', plans: [{ ...plan, ...change }] },
]
const failing = (unpaidSince: number): Partial<Facts> => ({
  subscriptions: [{ ...subscription, status: 'past_due' }],
  invoices: [invoice, { ...invoice, id: 'in_2', status: 'open', created: unpaidSince, amountPaid: 0 }],
})
const ended = { ...subscription, status: 'canceled', endedAt: start + 5 * day }
const withoutPlan = paying.shown.map((one) => ({ ...one, plans: [] }))
const second = { ...subscription, id: 'sub_2', created: start + day }
const secondPayment = {
  invoice: {
    ...invoice,
    id: 'in_2',
    subscriptionId: 'sub_2',
    created: start + day,
    periodStart: start + day,
  },
  charge: { ...charge, id: 'ch_2', invoiceId: 'in_2', subscriptionId: 'sub_2', at: start + day },
}
const canceledSecond: Partial<Facts> = {
  subscriptions: [subscription, { ...second, status: 'canceled', endedAt: start + 2 * day }],
  invoices: [invoice, secondPayment.invoice],
}
const almanac = { ...subscription, id: 'sub_almanac', planId: null }
const renewal = {
  ...invoice,
  id: 'in_2',
  reason: 'subscription_cycle',
  created: start + 5 * day,
  total: 250,
  amountDue: 250,
  amountPaid: 250,
}
const refunded = [{ amount: 499, isAutomatic: true }]

const planted: [name: string, change: Partial<Facts>, rule: Violation['rule']][] = [
  ['a paid plan that a process shows closed', { shown: shows({ isActive: false }) }, 'pays without a plan'],
  ['a paid plan that is not shown', { shown: withoutPlan }, 'pays without a plan'],
  ['a subscription of a deleted account', { deletedAt: now, shown: [] }, 'pays without a plan'],
  ['an open plan of an ended subscription', { subscriptions: [ended] }, 'has a plan without paying'],
  ['an open plan after the grace period', failing(now - 4 * day), 'has a plan without paying'],
  [
    'an open plan that is on hold',
    {
      subscriptions: [{ ...subscription, status: 'unpaid' }],
      shown: [{ process: 'API 1', plans: [{ ...plan, nextBillingDate: null }] }],
    },
    'has a plan without paying',
  ],
  [
    'an open plan with a disputed payment',
    { charges: [{ ...charge, isDisputed: true }] },
    'has a plan without paying',
  ],
  ['two running subscriptions', { subscriptions: [subscription, second] }, 'two subscriptions'],
  [
    'a second payment that is kept',
    { ...canceledSecond, charges: [charge, secondPayment.charge] },
    'two subscriptions',
  ],
  [
    'a charge after the end',
    { subscriptions: [ended], charges: [{ ...charge, at: now }], shown: withoutPlan },
    'charged after an end',
  ],
  [
    'a charge after the deletion that is refunded in part',
    {
      subscriptions: [ended],
      shown: [],
      deletedAt: start,
      charges: [{ ...charge, refunds: [{ amount: 100, isAutomatic: true }] }],
    },
    'charged after an end',
  ],
  [
    'a draft that outlives its subscription',
    {
      subscriptions: [ended],
      shown: withoutPlan,
      invoices: [invoice, { ...renewal, total: 499, status: 'draft', isAdvancing: true }],
    },
    'charged after an end',
  ],
  [
    'an open invoice of an ended subscription',
    {
      subscriptions: [ended],
      shown: withoutPlan,
      invoices: [invoice, { ...renewal, total: 499, status: 'open' }],
    },
    'charged after an end',
  ],
  ['another amount on the site', { shown: shows({ amount: 500 }) }, 'amount differs'],
  ['another day on the site', { shown: shows({ nextBillingDate: now }) }, 'amount differs'],
  [
    'a cancellation that the site does not show',
    { subscriptions: [{ ...subscription, cancelAt: now + day }] },
    'amount differs',
  ],
  ['an upgrade that cost something else', { agreements: [{ at: start, amountDue: 100 }] }, 'amount differs'],
  [
    'a renewal that cost something else',
    {
      invoices: [invoice, { ...renewal, periodStart: now }],
      announcements: [{ from: now, amount: 499 }],
      mails: [],
    },
    'amount differs',
  ],
  ['an email about another charge', { mails: [{ ...welcome, text: 'Charged: $49.99' }] }, 'amount differs'],
  [
    'an email with an amount from nowhere',
    { mails: [{ ...welcome, text: 'We owe you $1.23.' }] },
    'amount differs',
  ],
  [
    'an email with a price that the renewal does not cost',
    { invoices: [invoice, renewal] },
    'amount differs',
  ],
  [
    'an almanac that was canceled',
    { subscriptions: [subscription, { ...almanac, endedAt: now }] },
    'other sale touched',
  ],
  [
    'an almanac that was refunded',
    { charges: [charge, { ...charge, id: 'ch_2', isOwn: false, refunds: refunded }] },
    'other sale touched',
  ],
]

const allowed: [name: string, change: Partial<Facts>][] = [
  ['a member who pays', {}],
  ['a plan within the grace period', failing(now - 3 * day)],
  [
    'a second payment that was refunded',
    { ...canceledSecond, charges: [charge, { ...secondPayment.charge, refunds: refunded }] },
  ],
  ['a deleted account', { deletedAt: start + 5 * day, subscriptions: [ended], shown: [] }],
  [
    'a payment before its subscription was moved to the almanac',
    { deletedAt: start, shown: [], subscriptions: [{ ...subscription, planId: null }] },
  ],
  ['a running almanac', { subscriptions: [subscription, almanac] }],
  [
    'a price after a cancellation that was undone',
    {
      invoices: [invoice, renewal],
      mails: [welcome, { at: start + day, subject: 'Your plan is canceled', text: 'Ends on: January 1' }],
    },
  ],
  [
    'a price after a coupon of a later day',
    { invoices: [invoice, { ...renewal, discountedSince: start + day }] },
  ],
]

describe('the auditor', () => {
  it.each(planted)('finds %s', (_name, change, rule) => {
    const found = audit({ ...paying, ...change }).map((violation) => violation.rule)
    expect([...new Set(found)]).toEqual([rule])
  })

  it.each(allowed)('allows %s', (_name, change) => {
    expect(audit({ ...paying, ...change })).toEqual([])
  })
})
