import type { BulkMailer } from '../integrations/mail/bulk-mailer.ts'
import type { Mailer } from '../integrations/mail/mailer.ts'
import type { PaymentGateway } from '../integrations/payments/payment-gateway.ts'
import type { PushSender } from '../integrations/push/push-sender.ts'
import type { SmsSender } from '../integrations/sms/sms-sender.ts'
import { describeHold, type HoldReason, heldCode } from '../platform/sending-guard/hold-reasons.ts'
import type { SendingGuard } from '../platform/sending-guard/sending-guard.ts'

type OutgoingGuard = Pick<SendingGuard, 'findHold' | 'assertOpen'>

/** The claim of each delivery asks the database too, so that a query for each message would only repeat that. */
const claimed = { openForMs: 1_000 }

/** Returns a mailer whose emails throw `sending-held` while sending is held. */
export function guardMailer(mailer: Mailer, guard: OutgoingGuard): Mailer {
  return { ...mailer, send: guarded(guard, mailer.send) }
}

/** Returns a mailer of editions that is unavailable while sending is held. */
export function guardBulkMailer(mailer: BulkMailer, guard: OutgoingGuard): BulkMailer {
  return {
    ...mailer,
    async send(message) {
      const reason = await guard.findHold(claimed)
      return reason === null ? await mailer.send(message) : unavailable(reason)
    },
  }
}

/** Returns a sender of texts that is unavailable while sending is held. */
export function guardSmsSender(sender: SmsSender, guard: OutgoingGuard): SmsSender {
  return {
    ...sender,
    async send(message) {
      const reason = await guard.findHold(message.deliveryId === undefined ? {} : claimed)
      return reason === null ? await sender.send(message) : unavailable(reason)
    },
  }
}

/** Returns a sender of notifications that refuses them for now while sending is held. */
export function guardPushSender(sender: PushSender, guard: OutgoingGuard): PushSender {
  return {
    ...sender,
    async send(subscription, message) {
      const reason = await guard.findHold(claimed)
      if (reason === null) return await sender.send(subscription, message)
      return { outcome: 'temporary', code: heldCode, response: describeHold(reason), retryAt: null }
    },
  }
}

/** Returns a gateway that reads while sending is held, and whose changes throw `sending-held`. */
export function guardGateway(gateway: PaymentGateway, guard: OutgoingGuard): PaymentGateway {
  return {
    ...gateway,
    createCustomer: guarded(guard, gateway.createCustomer),
    retireCustomer: guarded(guard, gateway.retireCustomer),
    updateEmail: guarded(guard, gateway.updateEmail),
    startCheckout: guarded(guard, gateway.startCheckout),
    openPortal: guarded(guard, gateway.openPortal),
    changeNow: guarded(guard, gateway.changeNow),
    restoreSchedule: guarded(guard, gateway.restoreSchedule),
    changeAtPeriodEnd: guarded(guard, gateway.changeAtPeriodEnd),
    useDefaultCard: guarded(guard, gateway.useDefaultCard),
    cancelSubscription: guarded(guard, gateway.cancelSubscription),
    settleEnded: guarded(guard, gateway.settleEnded),
    refund: guarded(guard, gateway.refund),
    cancelAll: guarded(guard, gateway.cancelAll),
    prepareCatalog: guarded(guard, gateway.prepareCatalog),
    syncCatalog: guarded(guard, gateway.syncCatalog),
    syncPortal: guarded(guard, gateway.syncPortal),
  }
}

function guarded<Arguments extends unknown[], Result>(
  guard: OutgoingGuard,
  call: (...given: Arguments) => Promise<Result>,
) {
  return async (...given: Arguments): Promise<Result> => {
    await guard.assertOpen()
    return await call(...given)
  }
}

function unavailable(reason: HoldReason) {
  return { outcome: 'unavailable', code: heldCode, response: describeHold(reason) } as const
}
