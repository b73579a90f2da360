import type { MailEvent } from '@tidings/contracts/mail-events'
import type { BounceHandler } from '#integrations/mail/bounce-receiver.ts'
import type { MailReport } from '#integrations/mail/reports/mail-report.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/database.ts'
import { parseEmailAddress } from '#platform/email-address.ts'
import { createEventLimit } from '#platform/limits/event-limit.ts'
import { deliveryIdOf } from '../delivery-email.ts'
import { countBounce, resetBounces, suppressComplaint } from '../suppression/suppression.repository.ts'
import {
  claimMailEvent,
  findRecipient,
  markBounced,
  markDelivered,
  removeMailEvents,
} from './mail-events.repository.ts'
import type { ReturnAddresses } from './return-addresses.ts'

type Deps = { database: Database; clock: Clock; returnAddresses: ReturnAddresses; bounceLimit: number }

/** What happened to a delivery, or to an address if the delivery is not known. */
type Outcome = { type: MailEvent['type']; deliveryId: string | null; address: string | null; reason: string }

// Longer than a mail service repeats an event.
const keptMs = 30 * 24 * 3_600_000
const reasonCharacters = 300
/** In an hour: a server reports delays before it gives up. */
const mostReportsOfDelivery = 10

export type BounceService = ReturnType<typeof createBounceService>

/** Records in the ledger what became of sent messages, and suppresses addresses that bounce or complain. */
export function createBounceService({ database, clock, returnAddresses, bounceLimit }: Deps) {
  const reportsOfDelivery = createEventLimit({ most: mostReportsOfDelivery, seconds: 3600, clock })

  async function record(tx: Db, { type, deliveryId, address, reason }: Outcome): Promise<void> {
    const now = clock.now()
    const of = async (mark: (id: string) => Promise<string | null>) =>
      deliveryId === null ? address : await mark(deliveryId)
    switch (type) {
      case 'delivered': {
        const recipient = await of((id) => markDelivered(tx, id, now))
        if (recipient) await resetBounces(tx, recipient)
        return
      }
      case 'bounced': {
        const recipient = await of((id) => markBounced(tx, id, reason, now))
        if (recipient && isAboutAddress(reason))
          await countBounce(tx, { address: recipient, reason, now }, bounceLimit)
        return
      }
      case 'complained': {
        const recipient = await of((id) => findRecipient(tx, id))
        if (recipient) await suppressComplaint(tx, { address: recipient, reason, now })
      }
    }
  }

  /** Returns the delivery that a complaint quotes; null if it is unknown, or had too many reports. */
  function deliveryOfComplaint({ returnAddress, messageId }: MailReport['quoted']): string | null {
    const deliveryId = returnAddresses.deliveryOf(returnAddress ?? '') ?? deliveryIdOf(messageId ?? '')
    return deliveryId !== null && reportsOfDelivery.take(deliveryId) ? deliveryId : null
  }

  const handler: BounceHandler = {
    isReturnAddress: (address) =>
      returnAddresses.deliveryOf(address) !== null || returnAddresses.isForComplaints(address),
    admit(address) {
      const deliveryId = returnAddresses.deliveryOf(address)
      return deliveryId === null || reportsOfDelivery.take(deliveryId)
    },
    async receive(address, { kind, reason, quoted }) {
      const own = returnAddresses.deliveryOf(address)
      const deliveryId = own ?? (kind === 'complained' ? deliveryOfComplaint(quoted) : null)
      if (deliveryId === null) return
      await database.transaction((tx) => record(tx, { type: kind, deliveryId, address: null, reason }))
    },
  }

  return {
    handler,
    /** Counts a refusal of a recipient while sending, like a bounce. */
    async recordRefusal(address: string, reason: string): Promise<void> {
      if (!isAboutAddress(reason)) return
      await countBounce(database.db, { address, reason, now: clock.now() }, bounceLimit)
    },
    /** Records an event of a mail service, once for each id. */
    async receiveEvent(id: string, { type, messageId, recipient, reason }: MailEvent): Promise<void> {
      const deliveryId = messageId === undefined ? null : deliveryIdOf(messageId)
      // A message of another kind, such as a code.
      if (deliveryId === null && recipient === undefined) return
      const address = recipient === undefined ? null : parseEmailAddress(recipient)
      await database.transaction(async (tx) => {
        if (!(await claimMailEvent(tx, id, clock.now()))) return
        await record(tx, { type, deliveryId, address, reason: reason.slice(0, reasonCharacters) })
      })
    },
    async removeOld(): Promise<void> {
      await removeMailEvents(database.db, new Date(clock.now().getTime() - keptMs))
    },
  }
}

/** Returns whether a failure says that the mailbox is gone, not that its server failed or dislikes us (RFC 3463). */
function isAboutAddress(reason: string): boolean {
  return !/\b5\.[367]\.\d|^4\.\d/.test(reason)
}
