import {
  type DeliveriesQuery,
  type DeliveryReport,
  deliveryReport,
  type TestSendRequest,
  type DeliveryMethod as WireMethod,
} from '@tidings/contracts/delivery/deliveries'
import {
  type ChangeService,
  type DeskReply,
  pageReply,
  type Requester,
  replyWith,
} from '#features/desk/index.ts'
import { dateInZone } from '#features/editions/index.ts'
import type { TextLimits } from '#features/text-limits/index.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import { type BulkMailer, joinFilled } from '#integrations/mail/bulk-mailer.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { SmsSender } from '#integrations/sms/sms-sender.ts'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { SendingGuard } from '#platform/sending-guard/sending-guard.ts'
import type { EditionPdfs } from '../content/pdf/edition-pdfs.service.ts'
import { contentOf } from '../content/read-content.ts'
import type { DeliveryTexts } from '../content/sms/delivery-texts.ts'
import { fail } from '../delivery.errors.ts'
import type {
  DeliveryContent,
  DeliveryEmail,
  DeliveryRecipient,
  PrepareDeliveryEmail,
} from '../delivery-email.ts'
import { resolveUnconfirmed } from '../ledger/deliveries.repository.ts'
import { countRecipients } from '../ledger/recipients.repository.ts'
import { listRefusingDomains } from '../ledger/refusing-domains.repository.ts'
import {
  findDelivery,
  type ListedDelivery,
  listDeliveries,
  listUnconfirmed,
} from '../ledger/report.repository.ts'
import {
  findRun,
  findRunById,
  isBeingPlanned,
  lockRun,
  type RunRow,
  reopenRun,
  updateRun,
} from '../ledger/runs.repository.ts'
import { isWithdrawn, subjectKindOf } from '../ledger/withdrawal.ts'
import { noDelivery } from '../links/signed-links.ts'
import { fromAnyMethod, fromWireMethod, isPdfMethod, isTextMethod } from '../methods.ts'
import { toDeskDelivery } from '../report/delivery.mapper.ts'
import { readReport, reportCsv, underGate } from '../report/delivery-report.ts'
import { describeRefusal, refusedDuring } from '../report/refusing-domains.ts'
import { type WaitingService, waitingOf } from '../report/waiting.service.ts'
import { enqueueSending } from '../transports.ts'
import { type DeliverySubject, findRunOf, getRunSubject, listEditionsOf, nameOf } from './delivery-subject.ts'
import { createTestSends } from './test-send.service.ts'

type Deps = Pick<PlatformDeps, 'database' | 'jobs' | 'clock' | 'ids'> & {
  changes: ChangeService
  prepareEmail: PrepareDeliveryEmail
  bulkMailer: BulkMailer
  editionPdfs: EditionPdfs
  texts: DeliveryTexts
  smsSender: SmsSender
  sendingGuard: Pick<SendingGuard, 'read'>
  waiting: WaitingService
  rateLimits: RateLimits
  textLimits: TextLimits
  appId: string
  pushKey: string | null
  timeZone: string
  secret: string
}

type DeliveryMethod = DeliveryRecipient['method']
type Page = { limit: number; after?: string | undefined }

export type DeliveryDesk = ReturnType<typeof createDeliveryDesk>

/** Lets editors follow, stop, resume and resolve deliveries. */
export function createDeliveryDesk(deps: Deps) {
  const { database, jobs, clock, ids, changes, prepareEmail, bulkMailer, editionPdfs, texts, waiting } = deps
  const testSends = createTestSends(deps)

  async function lockRunOf(tx: Db, subject: DeliverySubject): Promise<RunRow> {
    const run = await findRunOf(tx, subject)
    const locked = run === null ? null : await lockRun(tx, run.id)
    if (locked === null) throw fail('delivery-not-found')
    return locked
  }

  /** Locks a run to stop or resume it. Throws `edition-withdrawn` if nothing of it is published. */
  async function lockPublishedRunOf(tx: Db, subject: DeliverySubject): Promise<RunRow> {
    const run = await lockRunOf(tx, subject)
    await requirePublished(tx, run)
    return run
  }

  async function requirePublished(tx: Db, run: Pick<RunRow, 'id' | 'editionId'>): Promise<void> {
    if (await isWithdrawn(tx, run)) throw fail('edition-withdrawn', subjectKindOf(run))
  }

  async function pageOfRows(rows: readonly ListedDelivery[], limit: number): Promise<DeskReply> {
    const facts = await waiting.readFacts(database.db)
    return pageReply(rows, limit, {
      map: (row) => toDeskDelivery(row, waitingOf(row, facts)),
      next: ({ id }) => id,
    })
  }

  async function contentOfSubject(subject: DeliverySubject): Promise<DeliveryContent> {
    const kind = 'edition' in subject ? 'memo' : 'digest'
    const content = await contentOf(database.db, kind, await listEditionsOf(database.db, subject))
    if (content === null) throw fail('edition-not-found')
    return content
  }

  /** Says in a report which domains refuse us. */
  async function withRefusals(report: DeliveryReport, run: RunRow | null): Promise<DeliveryReport> {
    const now = clock.now()
    const rows = run === null ? [] : await listRefusingDomains(database.db, now)
    const refusingDomains = rows
      .filter((row) => run !== null && refusedDuring(row, run))
      .map((row) => describeRefusal(row, now, deps.timeZone))
    return { ...report, refusingDomains }
  }

  async function render(
    subject: DeliverySubject,
    method: DeliveryMethod,
    address: string,
  ): Promise<DeliveryEmail> {
    const parts = { methods: [method] as const, pdf: isPdfMethod(method) ? ('phone' as const) : null }
    const fill = await prepareEmail(await contentOfSubject(subject), parts)
    return fill({ deliveryId: noDelivery, memberId: '', linkVersion: 0, method, address })
  }

  return {
    async list(
      subject: DeliverySubject,
      { limit, after, state, method }: DeliveriesQuery,
    ): Promise<DeskReply> {
      const run = await findRunOf(database.db, subject)
      const filter = { state, method: method === undefined ? undefined : fromAnyMethod(method) }
      const page = { limit: limit + 1, after }
      const rows = run === null ? [] : await listDeliveries(database.db, run, page, filter)
      return await pageOfRows(rows, limit)
    },

    async listUnconfirmed({ limit, after }: Page): Promise<DeskReply> {
      const rows = await listUnconfirmed(database.db, { limit: limit + 1, after })
      return await pageOfRows(rows, limit)
    },

    async report(subject: DeliverySubject, format: 'json' | 'csv'): Promise<DeskReply> {
      const runSubject = await getRunSubject(database.db, subject)
      const run = await findRun(database.db, runSubject)
      const archived = run?.report ?? null
      const gate = await deps.sendingGuard.read()
      const current =
        archived === null
          ? underGate(await withRefusals(await readReport(database.db, run, { texts, waiting }), run), gate)
          : {
              ...deliveryReport.parse(archived),
              withdrawn: run !== null && (await isWithdrawn(database.db, run)),
            }
      const isPlanning = current.plannedAt === null && (await isBeingPlanned(database.db, runSubject))
      const report: DeliveryReport = isPlanning ? { ...current, state: 'planning' } : current
      const reply = replyWith(report)
      if (format === 'json') return reply
      return { ...reply, file: { type: 'text/csv; charset=utf-8', content: reportCsv(report) } }
    },

    /** Stops a run; only the messages in flight are still sent. */
    async stop(requester: Requester, subject: DeliverySubject): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const run = await lockPublishedRunOf(tx, subject)
        if (run.state !== 'planned' && run.state !== 'sending')
          throw fail('delivery-not-stoppable', run.state)
        const stopped = await updateRun(tx, run.id, { state: 'stopped' })
        await audit('delivery.stop', nameOf(subject), { from: run.state })
        return replyWith(await readReport(tx, stopped, { texts, waiting }))
      })
    },

    /** Resumes a stopped or held run at once. */
    async resume(requester: Requester, subject: DeliverySubject): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const run = await lockPublishedRunOf(tx, subject)
        if (run.state !== 'stopped' && run.state !== 'held') throw fail('delivery-not-resumable', run.state)
        const now = clock.now()
        const resumed = await updateRun(tx, run.id, {
          state: run.startedAt === null ? 'planned' : 'sending',
          heldReason: null,
          sendAfter: now,
          activeAt: run.startedAt === null ? null : now,
        })
        await enqueueSending(jobs, tx, run.id)
        await audit('delivery.resume', nameOf(subject), { from: run.state, reason: run.heldReason })
        return replyWith(await readReport(tx, resumed, { texts, waiting }))
      })
    },

    /** Resolves an unconfirmed delivery as sent, or to be sent again. */
    async resolve(requester: Requester, id: string, as: 'sent' | 'send-again'): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const before = await findDelivery(tx, id)
        if (before === null) throw fail('delivery-not-found')
        const run = await findRunById(tx, before.runId)
        if (as === 'send-again' && run !== null) await requirePublished(tx, run)
        const [resolved] = await resolveUnconfirmed(tx, { id }, as, clock.now())
        if (resolved === undefined) throw fail('delivery-not-unconfirmed', before.state)
        if (as === 'send-again') {
          await reopenRun(tx, resolved.runId, clock.now())
          await enqueueSending(jobs, tx, resolved.runId)
        }
        await audit('delivery.resolve', id, { as, evidence: before.reason })
        const after = await findDelivery(tx, id)
        const facts = await waiting.readFacts(tx)
        return replyWith(toDeskDelivery(after ?? before, waitingOf(after ?? before, facts)))
      })
    },

    /** Returns an edition or a digest as PDF, drafts too. */
    async pdf(subject: DeliverySubject, format: PdfFormat): Promise<DeskReply> {
      const content = await editionPdfs.of(await contentOfSubject(subject), format)
      return { ...replyWith({}), file: { type: 'application/pdf', content } }
    },

    async preview(subject: DeliverySubject, wireMethod: WireMethod): Promise<DeskReply> {
      const method = fromWireMethod(wireMethod)
      if (isTextMethod(method)) {
        const content = await contentOfSubject(subject)
        const today = dateInZone(clock.now(), deps.timeZone)
        const count = await countRecipients(database.db, method, { ...deps, today })
        const cost = texts.costOf(content, [{ method, count, withStopNotice: 0 }])
        return replyWith({ subject: '', html: '', text: texts.sample(content, method), texts: cost })
      }
      const { subject: title, html, text } = await render(subject, method, '')
      return replyWith({ subject: title, html: joinFilled(html), text: joinFilled(text), texts: null })
    },

    /** Sends an edition to one address, outside the ledger. */
    async testSend(
      requester: Requester,
      subject: DeliverySubject,
      request: TestSendRequest,
    ): Promise<DeskReply> {
      const method = fromWireMethod(request.method)
      const { to } = request
      return await testSends.send(requester, {
        ...request,
        subject: nameOf(subject),
        async prepare() {
          if (isTextMethod(method)) {
            const body = texts.sample(await contentOfSubject(subject), method)
            return () => deps.smsSender.send({ to, body })
          }
          const email = await render(subject, method, to)
          return () => bulkMailer.send({ ...email, envelopeFrom: null, to, messageId: `test-${ids.uuid()}` })
        },
      })
    },
  }
}
