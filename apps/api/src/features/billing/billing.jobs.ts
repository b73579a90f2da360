import { z } from 'zod'
import type { DroppedSchedule, PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import type { Job } from '#platform/jobs/jobs.ts'

type Deps = {
  gateway: PaymentGateway
  subscriptionSync: {
    sync(customerId: string): Promise<unknown>
    cancelDisputed(disputeId: string): Promise<unknown>
  }
  refunds: { sync(refundId: string): Promise<void> }
  emailSync: { sync(memberId: string): Promise<void> }
  reconciliation: { sweep(): Promise<void>; reconcile(): Promise<unknown> }
  webhooks: { removeOld(): Promise<void> }
}

// Retries for about a day, as the backoff grows to a minute.
const retryPolicy = { retries: 1_500, expireSeconds: 900 }

export const syncCustomer: Job<{ customerId: string }, Deps> = {
  name: 'billing.sync-customer',
  sends: 'syncs with Stripe, which refund second payments',
  payload: z.object({ customerId: z.string() }),
  ...retryPolicy,
  run: ({ customerId }, { subscriptionSync }) => subscriptionSync.sync(customerId),
}

export const syncDispute: Job<{ disputeId: string }, Deps> = {
  name: 'billing.sync-dispute',
  sends: 'cancellations of disputed plans at Stripe',
  payload: z.object({ disputeId: z.string() }),
  ...retryPolicy,
  run: ({ disputeId }, { subscriptionSync }) => subscriptionSync.cancelDisputed(disputeId),
}

/** Restores a scheduled change that an interrupted upgrade dropped. */
export const restoreSchedule: Job<DroppedSchedule, Deps> = {
  name: 'billing.restore-schedule',
  sends: 'plan changes that are restored at Stripe',
  payload: z.object({ subscriptionId: z.string(), itemId: z.string(), scheduleId: z.string() }),
  ...retryPolicy,
  run: (dropped, { gateway }) => gateway.restoreSchedule(dropped),
}

export const syncRefund: Job<{ refundId: string }, Deps> = {
  name: 'billing.sync-refund',
  sends: 'emails about refunds',
  payload: z.object({ refundId: z.string() }),
  ...retryPolicy,
  run: ({ refundId }, { refunds }) => refunds.sync(refundId),
}

export const syncEmail: Job<{ memberId: string }, Deps> = {
  name: 'billing.sync-email',
  sends: 'addresses that change at Stripe',
  payload: z.object({ memberId: z.string() }),
  ...retryPolicy,
  run: ({ memberId }, { emailSync }) => emailSync.sync(memberId),
}

/** Closes plans whose grace period is over, repeats overdue syncs, and removes old events. */
export const billingSweep: Job<object, Deps> = {
  name: 'billing.sweep',
  sends: 'syncs with Stripe',
  payload: z.object({}),
  retries: 0,
  expireSeconds: 240,
  async run(_payload, { reconciliation, webhooks }) {
    await reconciliation.sweep()
    await webhooks.removeOld()
  },
}

/** Compares every plan with Stripe. */
export const reconcilePlans: Job<object, Deps> = {
  name: 'billing.reconcile',
  sends: 'syncs with Stripe',
  payload: z.object({}),
  retries: 5,
  expireSeconds: 4 * 3600,
  run: async (_payload, { gateway, reconciliation }) =>
    gateway.isSetUp ? await reconciliation.reconcile() : undefined,
}

/** Tells members about the renewals of the next weeks. A failed run continues where it ended. */
export const sendRenewalNotices: Job<object, { renewalNotices: { send(): Promise<unknown> } }> = {
  name: 'billing.renewal-notices',
  payload: z.object({}),
  retries: 30,
  expireSeconds: 4 * 3600,
  run: (_payload, { renewalNotices }) => renewalNotices.send(),
}
