import {
  type DeliveriesQuery,
  type DeliveryReport,
  deliveryReport,
} from '@tidings/contracts/delivery/deliveries'
import { type DeskReply, pageReply, replyWith } from '#features/desk/index.ts'
import type { SendingGuard } from '#platform/sending-guard/sending-guard.ts'
import { listRefusingDomains } from '../ledger/refusing-domains.repository.ts'
import { type ListedDelivery, listDeliveries, listUnconfirmed } from '../ledger/report.repository.ts'
import { findRun, isBeingPlanned, isWithdrawn, type RunRow } from '../ledger/runs.repository.ts'
import { fromAnyMethod } from '../methods.ts'
import { toDeskDelivery } from '../report/delivery.mapper.ts'
import { readReport, reportCsv, underHold } from '../report/delivery-report.ts'
import { describeRefusal, refusedDuring } from '../report/refusing-domains.ts'
import { waitingOf } from '../report/waiting.service.ts'
import { type DeliverySubject, findRunOf, getRunSubject } from './delivery-subject.ts'
import { createPreviews, type PreviewDeps } from './previews.service.ts'
import { createRunChanges, type RunChangeDeps } from './run-changes.service.ts'

type Deps = PreviewDeps & RunChangeDeps & { sendingGuard: Pick<SendingGuard, 'read'> }

type Page = { limit: number; after?: string | undefined }

export type DeliveryDesk = ReturnType<typeof createDeliveryDesk>

/** Lets editors follow, stop, resume and resolve deliveries. */
export function createDeliveryDesk(deps: Deps) {
  const { database, clock, deliverySms, waiting } = deps

  async function pageOfRows(rows: readonly ListedDelivery[], limit: number): Promise<DeskReply> {
    const facts = await waiting.readFacts(database.db)
    return pageReply(rows, limit, {
      map: (row) => toDeskDelivery(row, waitingOf(row, facts)),
      next: ({ id }) => id,
    })
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

  return {
    ...createRunChanges(deps),
    ...createPreviews(deps),

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
      const hold = await deps.sendingGuard.read()
      const current =
        archived === null
          ? underHold(
              await withRefusals(await readReport(database.db, run, { deliverySms, waiting }), run),
              hold,
            )
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
  }
}
