import { InvalidSignatureError, UnreadableEventError } from '#integrations/payments/gateway-errors.ts'
import type { PaymentAccount, PaymentEvent } from '#integrations/payments/payment-gateway.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { fail } from '../billing.errors.ts'
import { syncDispute, syncRefund } from '../billing.jobs.ts'
import { claimEvent, findPaymentAccount, removeOldEvents } from '../billing.repository.ts'
import { findCustomer } from '../customers/customers.repository.ts'
import type { SubscriptionSync } from '../sync/subscription-sync.service.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'jobs' | 'clock' | 'logger' | 'metrics'> & {
  subscriptionSync: SubscriptionSync
}

/** Events that may change a plan or what it charges. Any other customer's event is only stored. */
const syncedEvents = [
  /^customer\.subscription\./,
  /^subscription_schedule\./,
  /^checkout\.session\.(completed|async_payment_succeeded)$/,
  /^invoice\.(paid|payment_failed|payment_action_required|finalization_failed|voided|marked_uncollectible)$/,
  /^charge\.refunded$/,
  /^customer\.(deleted|discount\..*|tax_id\..*|updated)$/,
]
const disputes = /^charge\.dispute\./
const refunds = /^refund\./
/** Of an invoice that Stripe can't complete, such as one whose tax needs an address. It stays a draft and isn't charged. */
const finalizationFailed = 'invoice.finalization_failed'
/** Longer than Stripe repeats an event. */
const keptMs = 90 * 24 * 3_600_000

type ReceivedEvent = Omit<PaymentEvent, 'isLive' | 'accountId'> & { receivedAt: Date }

export type WebhookService = ReturnType<typeof createWebhookService>

/** Treats an event as a hint: it names the customer to sync, and nothing else of it is trusted. */
export function createWebhookService(deps: Deps) {
  const { database, gateway, subscriptionSync, jobs, clock, logger, metrics } = deps
  const finalizationFailures = metrics.counter({
    name: 'tidings_payment_finalization_failures_total',
    help: "Members' invoices that Stripe could not finalize, so that they are not charged",
  })
  // It never changes once it is stored.
  let own: PaymentAccount | null = null

  async function store({ subjectId, ...event }: ReceivedEvent): Promise<void> {
    const { type, customerId } = event
    const isNew = await database.sqlTransaction(async (tx) => {
      if (!(await claimEvent(tx, event))) return false
      if (customerId !== null && syncedEvents.some((pattern) => pattern.test(type)))
        await subscriptionSync.request(tx, [customerId])
      if (subjectId === null) return true
      if (disputes.test(type)) await jobs.enqueue(tx, syncDispute, { disputeId: subjectId })
      if (refunds.test(type)) await jobs.enqueue(tx, syncRefund, { refundId: subjectId })
      return true
    })
    if (isNew && type === finalizationFailed) await reportNotFinalized(customerId, subjectId)
  }

  /** Tells the operator about a member's invoice that can't be finalized. */
  async function reportNotFinalized(customerId: string | null, invoiceId: string | null): Promise<void> {
    const customer = customerId === null ? null : await findCustomer(database.db, customerId)
    if (customer === null) return
    finalizationFailures.inc()
    logger.error({ customerId, invoiceId }, 'invoice finalization failed')
  }

  async function readEvent(body: Buffer, signature: string | undefined): Promise<PaymentEvent> {
    try {
      return await gateway.readEvent(body, signature)
    } catch (error) {
      if (error instanceof UnreadableEventError) {
        logger.warn({ reason: error.message }, 'webhook event unreadable')
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
      const { isLive, accountId, ...event } = await readEvent(body, signature)
      own ??= await findPaymentAccount(database.db)
      if (own !== null && (isLive === !own.isLive || (accountId ?? own.id) !== own.id)) {
        logger.warn({ eventId: event.id, isLive, accountId }, 'event of another payment account ignored')
        return
      }
      await store({ ...event, receivedAt: clock.now() })
    },
    async removeOld(): Promise<void> {
      await removeOldEvents(database.db, new Date(clock.now().getTime() - keptMs))
    },
  }
}
