import { z } from 'zod'
import type { JobDefinition } from '#platform/jobs.ts'

// About a day of tries, as the pauses grow to a minute.
const retryPolicy = { retries: 1_500, expireSeconds: 900 }

/** Something has changed about what a customer pays. */
export const syncCustomer: JobDefinition<{ customerId: string }> = {
  name: 'billing.sync-customer',
  payload: z.object({ customerId: z.string() }),
  ...retryPolicy,
}

/** A payment dispute has begun or changed. */
export const syncDispute: JobDefinition<{ disputeId: string }> = {
  name: 'billing.sync-dispute',
  payload: z.object({ disputeId: z.string() }),
  ...retryPolicy,
}

/** A refund was made, or has failed. */
export const syncRefund: JobDefinition<{ refundId: string }> = {
  name: 'billing.sync-refund',
  payload: z.object({ refundId: z.string() }),
  ...retryPolicy,
}

/** A member has another address, which is where the payment service writes to as well. */
export const syncEmail: JobDefinition<{ memberId: string }> = {
  name: 'billing.sync-email',
  payload: z.object({ memberId: z.string() }),
  ...retryPolicy,
}

/** Ends grace that is over, wakes subscriptionSync that were forgotten, and forgets old events. */
export const billingSweep: JobDefinition<Record<string, never>> = {
  name: 'billing.sweep',
  payload: z.object({}),
  retries: 0,
  expireSeconds: 240,
  cron: '*/5 * * * *',
}

/** Compares everybody's plans with the payment service's own list. */
export const reconcilePlans: JobDefinition<Record<string, never>> = {
  name: 'billing.reconcile',
  payload: z.object({}),
  retries: 5,
  expireSeconds: 4 * 3600,
  cron: '23 3 * * *',
}
