import {
  InvalidSignatureError,
  type PaymentEvent,
  type PaymentGateway,
} from '../../integrations/payments/payment-gateway.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Jobs } from '../../platform/jobs.ts'
import { disputeChanged } from './billing.jobs.ts'
import { storeEvent } from './billing.repository.ts'
import type { ReadingService } from './readings.service.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  readings: ReadingService
  jobs: Jobs
  clock: Clock
}

export type WebhookService = {
  /**
   * Takes an event: stores its id, and asks for its customer to be read. Told again, it does nothing. Throws
   * `invalid-signature` for what the payment service did not post.
   */
  receive(body: Buffer, signature: string | undefined): Promise<void>
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

/** An event is only a hint: it says whom to read, never what is so. */
export function createWebhookService({ database, gateway, readings, jobs, clock }: Deps): WebhookService {
  function readEvent(body: Buffer, signature: string | undefined): PaymentEvent {
    try {
      return gateway.readEvent(body, signature)
    } catch (error) {
      if (!(error instanceof InvalidSignatureError)) throw error
      throw new AppError('invalid-signature', 400, 'The signature is missing, wrong or too old.')
    }
  }

  return {
    async receive(body, signature) {
      const { chargeId, ...event } = readEvent(body, signature)
      await database.transaction(async (tx) => {
        if (!(await storeEvent(tx, { ...event, receivedAt: clock.now() }))) return
        if (event.customerId !== null && telling.some((pattern) => pattern.test(event.type))) {
          await readings.want(tx, [event.customerId])
        }
        if (chargeId !== null && disputes.test(event.type))
          await jobs.enqueue(tx, disputeChanged, { chargeId })
      })
    },
  }
}
