import type { DeliveryPreview, DeliveryMethod as WireMethod } from '@tidings/contracts/delivery/deliveries'
import type { DigestTest, EditionTest } from '@tidings/contracts/desk/deliveries'
import { type DeskReply, type Requester, replyWith } from '#features/desk/index.ts'
import { dateInZone } from '#features/editions/index.ts'
import { type BulkMailer, joinFilled } from '#integrations/mail/bulk-mailer.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { SmsSender } from '#integrations/sms/sms-sender.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { contentOf } from '../content/edition-content.ts'
import type { EditionPdfs } from '../content/pdf/edition-pdfs.service.ts'
import type { DeliverySms, SmsCost } from '../content/sms/delivery-sms.ts'
import { fail } from '../delivery.errors.ts'
import type {
  DeliveryContent,
  DeliveryEmail,
  DeliveryRecipient,
  PrepareDeliveryEmail,
} from '../delivery-email.ts'
import { countRecipients } from '../ledger/recipients.repository.ts'
import { noDelivery } from '../links/signed-links.ts'
import { fromWireMethod, isPdfMethod, isSmsMethod } from '../methods.ts'
import { type DeliverySubject, listEditionsOf, nameOf } from './delivery-subject.ts'
import { createTestSends, type TestSendDeps } from './test-send.service.ts'
import type { UnsavedContent } from './unsaved-content.ts'

export type PreviewDeps = Pick<PlatformDeps, 'database' | 'clock' | 'ids'> &
  TestSendDeps & {
    prepareEmail: PrepareDeliveryEmail
    bulkMailer: BulkMailer
    editionPdfs: EditionPdfs
    deliverySms: DeliverySms
    unsavedContent: UnsavedContent
    smsSender: SmsSender
    appId: string
    pushKey: string | null
    timeZone: string
  }

/** Begins the subject of a test, and its text. */
const testMark = '[Test]'

/** Shows editors what members get: as PDF, as a preview, or sent to one address. */
export function createPreviews(deps: PreviewDeps) {
  const { database, clock, ids, prepareEmail, bulkMailer, editionPdfs, deliverySms } = deps
  const testSends = createTestSends(deps)

  async function contentOfSubject(subject: DeliverySubject): Promise<DeliveryContent> {
    const kind = 'edition' in subject ? 'memo' : 'digest'
    const content = await contentOf(database.db, kind, await listEditionsOf(database.db, subject))
    if (content === null) throw fail('edition-not-found')
    return { ...content, isPreview: true }
  }

  /** Returns the content of a test: as it stands in the editor, or what is stored. */
  async function contentOfTest(
    subject: DeliverySubject,
    test: EditionTest | DigestTest,
  ): Promise<DeliveryContent> {
    if ('digest' in subject) {
      return await deps.unsavedContent.ofDigest(subject.digest, 'unsaved' in test ? test.unsaved : undefined)
    }
    const isUnsaved = 'memos' in test || 'subject' in test
    return isUnsaved
      ? await deps.unsavedContent.ofEdition(subject.edition, test)
      : await contentOfSubject(subject)
  }

  async function render(
    content: DeliveryContent,
    method: DeliveryRecipient['method'],
    address: string,
  ): Promise<DeliveryEmail> {
    const parts = { methods: [method] as const, pdf: isPdfMethod(method) ? ('phone' as const) : null }
    const fill = await prepareEmail(content, parts)
    return fill({ deliveryId: noDelivery, memberId: '', linkVersion: 0, method, address })
  }

  /** Renders any content as members get it; of a text, with its cost for those who would get it now. */
  async function show(content: DeliveryContent, wireMethod: WireMethod): Promise<DeliveryPreview> {
    const method = fromWireMethod(wireMethod)
    if (isSmsMethod(method)) {
      const today = dateInZone(clock.now(), deps.timeZone)
      const count = await countRecipients(database.db, method, { ...deps, today })
      const texts = deliverySms.costOf(content, [{ method, count, withStopNotice: 0 }])
      return { subject: '', html: '', text: deliverySms.sample(content, method), texts }
    }
    const { subject, html, text } = await render(content, method, '')
    return { subject, html: joinFilled(html), text: joinFilled(text), texts: null }
  }

  return {
    /** Returns an edition or a digest as PDF, drafts too. */
    async pdf(subject: DeliverySubject, format: PdfFormat): Promise<DeskReply> {
      const content = await editionPdfs.of(await contentOfSubject(subject), format)
      return { ...replyWith({}), file: { type: 'application/pdf', content } }
    },

    async preview(subject: DeliverySubject, wireMethod: WireMethod): Promise<DeskReply> {
      return replyWith(await show(await contentOfSubject(subject), wireMethod))
    },

    show,

    /** Returns what one text of a content costs. */
    costOfOne(content: DeliveryContent, wireMethod: WireMethod): SmsCost {
      return deliverySms.costOf(content, [
        { method: fromWireMethod(wireMethod), count: 1, withStopNotice: 0 },
      ])
    },

    /** Sends an edition or a digest to one address, outside the ledger. */
    async testSend(
      requester: Requester,
      subject: DeliverySubject,
      request: EditionTest | DigestTest,
    ): Promise<DeskReply> {
      const method = fromWireMethod(request.method)
      const { to } = request
      return await testSends.send(requester, {
        method: request.method,
        to,
        subject: nameOf(subject),
        async prepare() {
          const content = await contentOfTest(subject, request)
          if (isSmsMethod(method)) {
            const body = `${testMark} ${deliverySms.sample(content, method)}`
            return () => deps.smsSender.send({ to, body })
          }
          const email = await render(content, method, to)
          const title = `${testMark} ${email.subject}`
          const messageId = `test-${ids.uuid()}`
          return () => bulkMailer.send({ ...email, subject: title, envelopeFrom: null, to, messageId })
        },
      })
    },
  }
}
