import { z } from 'zod'
import type { PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import type { JobDefinition, Jobs } from '#platform/jobs.ts'

// Retries for about a day, as the backoff grows to a minute.
const retryPolicy = { retries: 1_500, expireSeconds: 900 }

export const syncCustomer: JobDefinition<{ customerId: string }> = {
  name: 'billing.sync-customer',
  payload: z.object({ customerId: z.string() }),
  ...retryPolicy,
}

export const syncDispute: JobDefinition<{ disputeId: string }> = {
  name: 'billing.sync-dispute',
  payload: z.object({ disputeId: z.string() }),
  ...retryPolicy,
}

export const syncRefund: JobDefinition<{ refundId: string }> = {
  name: 'billing.sync-refund',
  payload: z.object({ refundId: z.string() }),
  ...retryPolicy,
}

export const syncEmail: JobDefinition<{ memberId: string }> = {
  name: 'billing.sync-email',
  payload: z.object({ memberId: z.string() }),
  ...retryPolicy,
}

/** Closes plans whose grace period is over, repeats overdue syncs, and removes old events. */
export const billingSweep: JobDefinition<Record<string, never>> = {
  name: 'billing.sweep',
  payload: z.object({}),
  retries: 0,
  expireSeconds: 240,
  cron: '*/5 * * * *',
}

/** Compares every plan with Stripe, each night. */
const reconcilePlans: JobDefinition<Record<string, never>> = {
  name: 'billing.reconcile',
  payload: z.object({}),
  retries: 5,
  expireSeconds: 4 * 3600,
  cron: '23 3 * * *',
}

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

/** Must run before the jobs start. */
export function handleBillingJobs(jobs: Jobs, deps: Deps): void {
  const { gateway, subscriptionSync, refunds, emailSync, reconciliation, webhooks } = deps
  jobs.handle(syncCustomer, async ({ customerId }) => void (await subscriptionSync.sync(customerId)))
  jobs.handle(syncDispute, async ({ disputeId }) => void (await subscriptionSync.cancelDisputed(disputeId)))
  jobs.handle(syncRefund, ({ refundId }) => refunds.sync(refundId))
  jobs.handle(syncEmail, ({ memberId }) => emailSync.sync(memberId))
  jobs.handle(billingSweep, async () => {
    await reconciliation.sweep()
    await webhooks.removeOld()
  })
  jobs.handle(reconcilePlans, async () => {
    if (gateway.isSetUp) await reconciliation.reconcile()
  })
}
