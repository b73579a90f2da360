import type { SmsSender } from '#integrations/sms/sms-sender.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { EditionPdfs } from '../content/pdf/edition-pdfs.service.ts'
import type { DeliverySms } from '../content/sms/delivery-sms.ts'
import { postponeQuiet, type QuietHours } from '../ledger/quiet-hours.repository.ts'
import { isPdfMethod } from '../methods.ts'
import { numberRefusal, suppressNumber } from '../suppression/number-suppression.repository.ts'
import { replyOf, smsTransport, type Transport } from '../transports.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock'> & {
  smsSender: SmsSender
  deliverySms: DeliverySms
  editionPdfs: Pick<EditionPdfs, 'of'>
  quietHours: QuietHours | null
  timeZone: string
}

/** Sends deliveries as texts, outside the quiet hours of each member. */
export function createSmsTransport(deps: Deps): Transport {
  const { database, clock, smsSender, deliverySms, editionPdfs, quietHours, timeZone } = deps
  return {
    ...smsTransport,
    concurrency: smsSender.concurrency,
    async postpone(runId) {
      if (quietHours === null) return
      const { methods } = smsTransport
      await postponeQuiet(database.db, { runId, methods, quietHours, timeZone, now: clock.now() })
    },
    async prepare(content, { methods: [method], pdf }) {
      const pdfFormat = pdf ?? 'phone'
      // Made before the first reader opens its link.
      if (isPdfMethod(method)) await editionPdfs.of(content, pdfFormat)
      const textOf = deliverySms.prepare(content, method, pdfFormat)
      return async ({ deliveryId, address, stopNotice }) =>
        await smsSender.send({ to: address, body: textOf({ deliveryId, stopNotice }), deliveryId })
    },
    async followDomain() {},
    async refused(number, result) {
      if (result.outcome !== 'permanent') return
      const kind = numberRefusal(result.code)
      const reason = replyOf(result)
      if (kind !== null) await suppressNumber(database.db, { number, kind, reason, now: clock.now() })
    },
  }
}
