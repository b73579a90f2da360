import type { PlanMail } from '../src/integrations/mail/mailer.ts'

const envelope = {
  to: 'ada@example.com',
  appName: 'Tidings',
  pageUrl: 'https://news.example.com/#/account/dashboard',
  contact: 'help@example.com',
  timeZone: 'America/Los_Angeles',
}
const invoiceUrl = 'https://pay.example.com/i/acct_1/live_1?s=ap&x=1'
const yearly = { amount: 4999, currency: 'usd', interval: 'YEARLY' } as const
const monthly = { amount: 499, currency: 'usd', interval: 'MONTHLY' } as const
// Where the site is, it is still the evening of the 20th.
const instant = new Date('2026-12-21T05:00:00.000Z')

const refund = { kind: 'refund', ...envelope, amount: 4999, currency: 'usd' } as const

/** One of each kind of mail about what a member pays for. */
export const planMails = {
  subscribed: {
    kind: 'subscribed',
    ...envelope,
    planName: 'Yearly',
    ...yearly,
    charged: 4500,
    nextBillingDate: instant,
    invoiceUrl,
  },
  paymentFailed: {
    kind: 'payment-failed',
    ...envelope,
    planName: 'Yearly',
    amount: 4999,
    currency: 'usd',
    payUrl: invoiceUrl,
    accessUntil: instant,
  },
  closed: {
    kind: 'plan-closed',
    ...envelope,
    planName: 'Yearly',
    amount: 4999,
    currency: 'usd',
    payUrl: invoiceUrl,
  },
  planChanged: {
    kind: 'plan-changed',
    ...envelope,
    fromPlanName: 'Monthly',
    toPlanName: 'Yearly',
    ...yearly,
    charged: 4500,
    nextBillingDate: instant,
    wasScheduled: false,
  },
  changeScheduled: {
    kind: 'plan-change-scheduled',
    ...envelope,
    fromPlanName: 'Yearly',
    toPlanName: 'Monthly',
    ...monthly,
    at: instant,
  },
  changeCanceled: {
    kind: 'plan-change-canceled',
    ...envelope,
    fromPlanName: 'Yearly',
    toPlanName: 'Monthly',
    ...yearly,
    nextBillingDate: instant,
  },
  endedUnpaid: { kind: 'subscription-ended-unpaid', ...envelope, planName: 'Yearly' },
  ending: { kind: 'subscription-ending', ...envelope, planName: 'Yearly', endsAt: instant },
  resumed: { kind: 'subscription-resumed', ...envelope, planName: 'Yearly', nextBillingDate: instant },
  ended: { kind: 'subscription-ended', ...envelope, planName: 'Yearly' },
  secondRefunded: { ...refund, status: 'refunded', isSecond: true },
  lateRefunded: { ...refund, status: 'refunded', isSecond: false },
  refundFailed: { ...refund, status: 'failed', isSecond: true },
  disputed: { kind: 'payment-disputed', ...envelope, planName: 'Yearly' },
} satisfies Record<string, PlanMail>
