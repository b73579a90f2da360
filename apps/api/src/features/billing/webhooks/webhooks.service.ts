import {
  InvalidSignatureError,
  type PaymentEvent,
  UnreadableEventError,
} from '#integrations/payments/payment-gateway.ts'
import { findPaymentAccount } from '../account.repository.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { fail } from '../billing.errors.ts'
import { syncDispute, syncRefund } from '../billing.jobs.ts'
import type { SubscriptionSync } from '../sync/subscription-sync.service.ts'
import { claimEvent, removeOldEvents } from './events.repository.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'jobs' | 'clock' | 'logger'> & {
  subscriptionSync: SubscriptionSync
}

/** Events that may change a plan. Any other customer's event is only stored. */
const syncedEvents = [
  /^customer\.subscription\./,
  /^subscription_schedule\./,
  /^checkout\.session\.(completed|async_payment_succeeded)$/,
  /^invoice\.(paid|payment_failed|payment_action_required|voided|marked_uncollectible)$/,
  /^charge\.refunded$/,
  /^customer\.deleted$/,
]
const disputes = /^charge\.dispute\./
const refunds = /^refund\./
/** Longer than Stripe repeats an event. */
const keptDays = 90
const dayMs = 24 * 3_600_000

export type WebhookService = ReturnType<typeof createWebhookService>

/** Treats an event as a hint: it names the customer to sync, and nothing else of it is trusted. */
export function createWebhookService(deps: Deps) {
  const { database, gateway, subscriptionSync, jobs, clock, logger } = deps

  function readEvent(body: Buffer, signature: string | undefined): PaymentEvent {
    try {
      return gateway.readEvent(body, signature)
    } catch (error) {
      if (error instanceof UnreadableEventError) {
        logger.warn({ reason: error.message }, 'webhook event not readable')
        throw fail('unreadable-event')
      }
      if (!(error instanceof InvalidSignatureError)) throw error
      logger.warn({ reason: error.message }, 'webhook signature invalid')
      throw fail('invalid-signature')
    }
  }

  return {
    /** Claims an event and enqueues its syncs. Throws `invalid-signature` and `unreadable-event`. */
    async receive(body: Buffer, signature: string | undefined): Promise<void> {
      const { subjectId, isLive, accountId, ...event } = readEvent(body, signature)
      const own = await findPaymentAccount(database.db)
      if (own !== null && (isLive === !own.isLive || (accountId ?? own.id) !== own.id)) {
        logger.warn({ eventId: event.id, isLive, accountId }, 'event of another payment account ignored')
        return
      }
      await database.transaction(async (tx) => {
        if (!(await claimEvent(tx, { ...event, receivedAt: clock.now() }))) return
        await subscriptionSync.request(tx, customersToSync(event))
        if (subjectId === null) return
        if (disputes.test(event.type)) await jobs.enqueue(tx, syncDispute, { disputeId: subjectId })
        if (refunds.test(event.type)) await jobs.enqueue(tx, syncRefund, { refundId: subjectId })
      })
    },
    async removeOld(): Promise<void> {
      await removeOldEvents(database.db, new Date(clock.now().getTime() - keptDays * dayMs))
    },
  }
}

function customersToSync({ customerId, type }: Pick<PaymentEvent, 'customerId' | 'type'>): string[] {
  return customerId !== null && syncedEvents.some((pattern) => pattern.test(type)) ? [customerId] : []
}
