import type { BulkMailer } from '#integrations/mail/bulk-mailer.ts'
import { messageIdOf, type PrepareDeliveryEmail } from '../delivery-email.ts'
import { emailTransport, type Transport } from './transports.ts'

type Deps = {
  prepareEmail: PrepareDeliveryEmail
  bulkMailer: BulkMailer
  /** Counts a refusal of an address for good. */
  recordRefusal(address: string, reason: string): Promise<void>
}

/** Sends deliveries through the mail server. */
export function createEmailTransport({ prepareEmail, bulkMailer, recordRefusal }: Deps): Transport {
  return {
    ...emailTransport,
    concurrency: bulkMailer.concurrency,
    async postpone() {},
    async prepare(content, parts) {
      const fill = await prepareEmail(content, parts)
      return async (recipient) =>
        await bulkMailer.send({
          ...fill(recipient),
          to: recipient.address,
          messageId: messageIdOf(recipient.deliveryId),
        })
    },
    async refused(address, { code, response }) {
      if (/^5\d\d$/.test(code)) await recordRefusal(address, `${code} ${response}`)
    },
  }
}
