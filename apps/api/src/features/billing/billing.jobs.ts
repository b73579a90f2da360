import { z } from 'zod'
import type { JobDefinition } from '#platform/jobs.ts'

// About a day of tries, as the pauses grow to a minute.
const retryPolicy = { retries: 1_500, expireSeconds: 900 }

/** Something has changed about what a customer pays. */
export const customerChanged: JobDefinition<{ customerId: string }> = {
  name: 'billing.customer-changed',
  payload: z.object({ customerId: z.string() }),
  ...retryPolicy,
}

/** A payment dispute has begun or changed. */
export const disputeReported: JobDefinition<{ disputeId: string }> = {
  name: 'billing.dispute-reported',
  payload: z.object({ disputeId: z.string() }),
  ...retryPolicy,
}

/** A refund was made, or has failed. */
export const refundReported: JobDefinition<{ refundId: string }> = {
  name: 'billing.refund-reported',
  payload: z.object({ refundId: z.string() }),
  ...retryPolicy,
}

/** A member has another address, which is where the payment service writes to as well. */
export const addressChanged: JobDefinition<{ memberId: string }> = {
  name: 'billing.address-changed',
  payload: z.object({ memberId: z.string() }),
  ...retryPolicy,
}

/** Ends grace that is over, wakes readings that were forgotten, and forgets old events. */
export const billingSweep: JobDefinition<Record<string, never>> = {
  name: 'billing.sweep',
  payload: z.object({}),
  retries: 0,
  expireSeconds: 240,
  cron: '*/5 * * * *',
}

/** Compares everybody's plans with the payment service's own list. */
export const reconcileDue: JobDefinition<Record<string, never>> = {
  name: 'billing.reconcile',
  payload: z.object({}),
  retries: 5,
  expireSeconds: 4 * 3600,
  cron: '23 3 * * *',
}
