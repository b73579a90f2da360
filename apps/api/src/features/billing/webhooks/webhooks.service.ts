import {
  InvalidSignatureError,
  type PaymentEvent,
  type PaymentGateway,
  UnreadableEventError,
} from '#integrations/payments/payment-gateway.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import { AppError } from '#platform/errors.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { Logger } from '#platform/logger.ts'
import { findPaymentAccount } from '../account.repository.ts'
import { syncDispute, syncRefund } from '../billing.jobs.ts'
import type { SubscriptionSync } from '../sync/subscription-sync.service.ts'
import { claimEvent, removeOldEvents } from './events.repository.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  subscriptionSync: SubscriptionSync
  jobs: Jobs
  clock: Clock
  logger: Logger
}

export type WebhookService = {
  /**
   * Takes an event: stores its id, and asks for its customer to be read. Told again, it does nothing. Throws
   * `invalid-signature` for what the payment service did not post, and `unreadable-event` for what it did and nobody
   * here understands.
   */
  receive(body: Buffer, signature: string | undefined): Promise<void>
  /** Forgets events that are older than any that is told again. */
  removeOld(): Promise<void>
}

// What can change a plan. Everything else is noted and needs no reading.
const telling = [
  /^customer\.subscription\./,
  /^subscription_schedule\./,
  /^checkout\.session\.(completed|async_payment_succeeded)$/,
  /^invoice\.(paid|payment_failed|payment_action_required|voided|marked_uncollectible)$/,
  /^charge\.refunded$/,
  /^customer\.deleted$/,
]
const disputes = /^charge\.dispute\./
const refunds = /^refund\./
const keptDays = 90
const dayMs = 24 * 3_600_000

/** An event is only a hint: it says whom to read, never what is so. */
export function createWebhookService(deps: Deps): WebhookService {
  const { database, gateway, subscriptionSync, jobs, clock, logger } = deps

  function readEvent(body: Buffer, signature: string | undefined): PaymentEvent {
    try {
      return gateway.readEvent(body, signature)
    } catch (error) {
      if (error instanceof UnreadableEventError) {
        logger.warn({ reason: error.message }, 'an event of the payment service cannot be read')
        throw new AppError(
          'unreadable-event',
          400,
          'The signature is good, and this is no event that is known here.',
        )
      }
      if (!(error instanceof InvalidSignatureError)) throw error
      logger.warn({ reason: error.message }, 'something without a good signature was posted as an event')
      throw new AppError('invalid-signature', 400, 'The signature is missing, wrong or too old.')
    }
  }

  return {
    async receive(body, signature) {
      const { subjectId, isLive, accountId, ...event } = readEvent(body, signature)
      const own = await findPaymentAccount(database.db)
      if (own !== null && (isLive === !own.isLive || (accountId ?? own.id) !== own.id)) {
        logger.warn({ eventId: event.id, isLive, accountId }, 'event of another payment account ignored')
        return
      }
      await database.transaction(async (tx) => {
        if (!(await claimEvent(tx, { ...event, receivedAt: clock.now() }))) return
        await subscriptionSync.request(tx, customerToRead(event))
        if (subjectId === null) return
        if (disputes.test(event.type)) await jobs.enqueue(tx, syncDispute, { disputeId: subjectId })
        if (refunds.test(event.type)) await jobs.enqueue(tx, syncRefund, { refundId: subjectId })
      })
    },
    async removeOld() {
      await removeOldEvents(database.db, new Date(clock.now().getTime() - keptDays * dayMs))
    },
  }
}

function customerToRead({ customerId, type }: Pick<PaymentEvent, 'customerId' | 'type'>): string[] {
  return customerId !== null && telling.some((pattern) => pattern.test(type)) ? [customerId] : []
}
