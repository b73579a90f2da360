import type { BulkMailer, BulkResult } from '#integrations/mail/bulk-mailer.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { classifyRefusal, type RefusalClass } from '../bounces/refusal-class.ts'
import type { PrepareDeliveryEmail } from '../delivery-email.ts'
import { openDomain, recordDomainRefusal } from '../ledger/refusing-domains.repository.ts'
import { messageIdOf } from '../links/return-addresses.ts'
import { emailTransport, type HandOverResult, replyOf, type Transport } from '../transports.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock'> & {
  prepareEmail: PrepareDeliveryEmail
  bulkMailer: BulkMailer
  /** Counts a refusal that is about the address. */
  recordRefusal(address: string, reason: string, phase: 'rcpt' | 'data'): Promise<void>
}

/** Sends deliveries through the mail server. */
export function createEmailTransport(deps: Deps): Transport {
  const { database, clock, prepareEmail, bulkMailer, recordRefusal } = deps
  return {
    ...emailTransport,
    concurrency: bulkMailer.concurrency,
    async postpone() {},
    async prepare(content, parts) {
      const fill = await prepareEmail(content, parts)
      return async (recipient) =>
        resultOf(
          await bulkMailer.send({
            ...fill(recipient),
            to: recipient.address,
            messageId: messageIdOf(recipient.deliveryId),
          }),
        )
    },
    async followDomain({ address, isProbe }, result) {
      const { db } = database
      if (result.outcome === 'accepted') return await openDomain(db, address)
      if (result.outcome !== 'blocked') return
      const refusal = { address, reply: replyOf(result), now: clock.now() }
      await recordDomainRefusal(db, refusal, { isProbe })
    },
    async refused(address, result) {
      if (result.outcome !== 'permanent' && result.outcome !== 'temporary') return
      if (isReply(result)) await recordRefusal(address, fullReplyOf(result), result.phase ?? 'rcpt')
    },
  }
}

/** Converts refusals that are about us, 421 included, to `blocked`. */
function resultOf(result: BulkResult): HandOverResult {
  if (classOf(result) !== 'us' || result.outcome === 'accepted') return result
  const { code, response } = result
  return { outcome: 'blocked', code, response, isPermanent: code.startsWith('5') }
}

function classOf(result: BulkResult): RefusalClass {
  if (result.outcome === 'accepted' || result.outcome === 'unknown' || !isReply(result)) return 'other'
  if (result.outcome === 'unavailable' && result.phase === undefined) return 'other'
  return classifyRefusal({ phase: result.phase ?? 'rcpt', code: result.code, text: fullReplyOf(result) })
}

function fullReplyOf(result: Exclude<BulkResult, { outcome: 'accepted' }>): string {
  return replyOf({ code: result.code, response: result.fullResponse ?? result.response })
}

function isReply({ code }: { code: string }): boolean {
  return /^[45]\d\d$/.test(code)
}
