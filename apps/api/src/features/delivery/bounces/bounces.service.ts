import type { MailEvent } from '@tidings/contracts/mail-events'
import { parseEmailAddress } from '@tidings/contracts/membership/email-address'
import { dateInZone } from '#features/editions/index.ts'
import type { BounceHandler } from '#integrations/mail/bounce-receiver.ts'
import type { MailReport } from '#integrations/mail/reports/mail-report.ts'
import type { Db } from '#platform/database.ts'
import { createEventLimit } from '#platform/limits/event-limit.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { countComplaint } from '../ledger/deliverability.repository.ts'
import { countReportedRefusal } from '../ledger/refusing-domains.repository.ts'
import { deliveryIdOf, type ReturnAddresses } from '../links/return-addresses.ts'
import { countFullMailbox } from '../suppression/full-mailboxes.repository.ts'
import { countBounce, resetBounces, suppressComplaint } from '../suppression/suppression.repository.ts'
import {
  claimMailEvent,
  markBounced,
  markComplained,
  markDelivered,
  removeMailEvents,
} from './mail-events.repository.ts'
import { classifyRefusal, type RefusalPhase } from './refusal-class.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'logger'> & {
  returnAddresses: ReturnAddresses
  bounceLimit: number
  timeZone: string
}

/** The event of a delivery, or of an address if the delivery is not known. */
type Outcome = {
  type: MailEvent['type']
  deliveryId: string | null
  address: string | null
  reason: string
  phase: RefusalPhase
}

/** A refusal of an address, with the delivery if it is known. */
type AddressRefusal = { address: string; reason: string; phase: RefusalPhase; deliveryId: string | null }

// Longer than a mail service repeats an event.
const keptMs = 30 * 24 * 3_600_000
/** The stored length of a reason. Its words decide about the address wherever they are. */
const reasonCharacters = 300
/** In an hour: a server reports delays before it gives up. */
const maxReportsOfDelivery = 10

export type BounceService = ReturnType<typeof createBounceService>

/** Records the results of sent messages in the ledger, and suppresses addresses that bounce or complain. */
export function createBounceService(deps: Deps) {
  const { database, clock, logger, returnAddresses } = deps
  const reportsOfDelivery = createEventLimit({ max: maxReportsOfDelivery, seconds: 3600, clock })

  async function record(tx: Db, outcome: Outcome): Promise<void> {
    const { type, deliveryId, address, phase } = outcome
    const reason = outcome.reason.slice(0, reasonCharacters)
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
        if (recipient)
          await count(tx, deps, { address: recipient, reason: outcome.reason, phase, deliveryId })
        return
      }
      case 'complained': {
        const recipient = await of((id) => markComplained(tx, id, now))
        if (recipient === null) return
        if (deliveryId === null) await countComplaint(tx, recipient, now)
        await suppressComplaint(tx, { address: recipient, reason, now })
      }
    }
  }

  /** Returns the delivery of a complaint with our signature; null if there is none, or it had too many reports. */
  function deliveryOfComplaint({ status, quoted }: MailReport): string | null {
    // The Message-ID proves nothing: shared links and replies reveal it.
    const [deliveryId] = quoted.map(returnAddresses.deliveryOfQuoted).filter((id) => id !== null)
    if (deliveryId === undefined) logger.info({ status }, 'complaint without a signature ignored')
    return deliveryId !== undefined && reportsOfDelivery.take(deliveryId) ? deliveryId : null
  }

  const handler: BounceHandler = {
    isReturnAddress: (address) =>
      returnAddresses.deliveryOf(address) !== null || returnAddresses.isForComplaints(address),
    admit(address) {
      const deliveryId = returnAddresses.deliveryOf(address)
      return deliveryId === null || reportsOfDelivery.take(deliveryId)
    },
    async receive(address, report) {
      const { kind, reason } = report
      const own = returnAddresses.deliveryOf(address)
      const deliveryId = own ?? (kind === 'complained' ? deliveryOfComplaint(report) : null)
      if (deliveryId === null) return
      const outcome = { type: kind, deliveryId, address: null, reason, phase: 'report' } as const
      await database.transaction((tx) => record(tx, outcome))
    },
  }

  return {
    handler,
    /** Counts a refusal of a recipient while sending, like a bounce. */
    async recordRefusal(address: string, reason: string, phase: 'rcpt' | 'data' = 'rcpt'): Promise<void> {
      await count(database.db, deps, { address, reason, phase, deliveryId: null })
    },
    /** Records an event of a mail service, once for each id. */
    async receiveEvent(id: string, { type, messageId, recipient, reason }: MailEvent): Promise<void> {
      const deliveryId = messageId === undefined ? null : deliveryIdOf(messageId)
      // A message of another kind, such as a code.
      if (deliveryId === null && recipient === undefined) return
      const address = recipient === undefined ? null : parseEmailAddress(recipient)
      await database.transaction(async (tx) => {
        if (!(await claimMailEvent(tx, id, clock.now()))) return
        const event = { type, deliveryId, address, reason: readable(reason) }
        await record(tx, { ...event, phase: 'webhook' })
      })
    },
    async removeOld(): Promise<void> {
      await removeMailEvents(database.db, new Date(clock.now().getTime() - keptMs))
    },
  }
}

/** Returns a reason as one line. Services quote addresses, which must not outlive a member. */
function readable(reason: string): string {
  return reason
    .replaceAll(/\S*@\S*/g, '…')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

/** Counts what a refusal says about its address, or about us. */
async function count(tx: Db, { clock, bounceLimit, timeZone }: Deps, refusal: AddressRefusal): Promise<void> {
  const { address, phase, deliveryId } = refusal
  const reason = refusal.reason.slice(0, reasonCharacters)
  const now = clock.now()
  switch (classifyRefusal({ phase, code: '', text: refusal.reason })) {
    case 'address':
      return await countBounce(tx, { address, reason, now }, bounceLimit)
    case 'full':
      return await countFullMailbox(tx, {
        address,
        reason,
        now,
        deliveryId,
        today: dateInZone(now, timeZone),
      })
    case 'us':
      // The sender has already counted replies to RCPT and DATA for the domain.
      if (phase === 'rcpt' || phase === 'data') return
      return await countReportedRefusal(tx, { address, reply: reason, now })
    case 'other':
      return
  }
}
