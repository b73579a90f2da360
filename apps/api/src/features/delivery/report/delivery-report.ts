import type { DeliveryReport } from '@tidings/contracts/delivery/deliveries'
import type { Db } from '#platform/database.ts'
import { describeHold, type HoldReason } from '#platform/sending-guard/hold-reasons.ts'
import { readContent } from '../content/edition-content.ts'
import type { DeliverySms, SmsCost } from '../content/sms/delivery-sms.ts'
import { withdrawnTexts } from '../delivery.errors.ts'
import {
  type CountedDeliveries,
  countDeliveries,
  countStopNotices,
  readSendingTimes,
} from '../ledger/report.repository.ts'
import { isWithdrawn, type RunRow } from '../ledger/runs.repository.ts'
import { isSmsMethod, toWireMethod } from '../methods.ts'
import type { WaitingService } from './waiting.service.ts'

const slowestShown = 5
const handedOver: ReadonlySet<string> = new Set(['sent', 'delivered', 'bounced', 'unconfirmed'])

/** The services that a report reads. Without `waiting`, it doesn't say why deliveries wait. */
type ReportDeps = { deliverySms: DeliverySms; waiting?: Pick<WaitingService, 'ofRun'> }

/** Returns the report of a run's deliveries; without a run, that nothing is sent. */
export async function readReport(
  db: Db,
  run: RunRow | null,
  { deliverySms, waiting }: ReportDeps,
): Promise<DeliveryReport> {
  if (run === null) return nothingSent
  const withdrawn = await isWithdrawn(db, run)
  const isOpen = run.state !== 'done'
  const times = await readSendingTimes(db, run.id, slowestShown)
  const counts = await countDeliveries(db, run.id)
  return {
    state: withdrawn && isOpen ? 'withdrawn' : run.state,
    heldReason:
      withdrawn && isOpen ? withdrawnTexts[run.editionId === null ? 'digest' : 'edition'] : run.heldReason,
    withdrawn,
    waiting: (await waiting?.ofRun(db, run)) ?? [],
    plannedAt: run.plannedAt?.toISOString() ?? null,
    sendAfter: run.sendAfter.toISOString(),
    startedAt: run.startedAt?.toISOString() ?? null,
    finishedAt: run.finishedAt?.toISOString() ?? null,
    archivedAt: null,
    counts: counts.map(({ method, ...each }) => ({ method: toWireMethod(method), ...each })),
    firstSentAt: times.firstSentAt?.toISOString() ?? null,
    lastSentAt: times.lastSentAt?.toISOString() ?? null,
    slowest: times.slowest.map(({ id, sentAt, attempts }) => ({
      id,
      seconds: (sentAt.getTime() - run.sendAfter.getTime()) / 1000,
      attempts,
    })),
    texts: await readSmsCost(db, run, counts, deliverySms),
    refusingDomains: [],
  }
}

/** Returns the cost of a run's handed-over texts; null without any, or once the edition is withdrawn. */
async function readSmsCost(
  db: Db,
  run: RunRow,
  counts: readonly CountedDeliveries[],
  deliverySms: DeliverySms,
): Promise<SmsCost | null> {
  const sent = counts.filter(({ method, state }) => isSmsMethod(method) && handedOver.has(state))
  const content = sent.length === 0 ? null : await readContent(db, run)
  if (content === null) return null
  const notices = await countStopNotices(db, run.id, [...handedOver])
  const methods = Map.groupBy(sent, ({ method }) => method)
  return deliverySms.costOf(
    content,
    [...methods].map(([method, counted]) => ({
      method,
      count: counted.reduce((sum, { count }) => sum + count, 0),
      withStopNotice: notices.get(method) ?? 0,
    })),
  )
}

/** Adds to a report why nothing is sent at all, unless it is sent already or waits for an editor. */
export function underHold(report: DeliveryReport, hold: HoldReason | null): DeliveryReport {
  if (hold === null || (report.state !== 'planned' && report.state !== 'sending')) return report
  return { ...report, heldReason: describeHold(hold) }
}

/** Formats the counts of a report as CSV. */
export function reportCsv({ counts }: DeliveryReport): string {
  const lines = counts.map(({ method, state, reason, count }) => [method, state, reason ?? '', String(count)])
  return [['method', 'state', 'reason', 'count'], ...lines]
    .map((line) => `${line.map(csvField).join(',')}\r\n`)
    .join('')
}

/** Quotes a field. A leading apostrophe keeps spreadsheets from running a server's reply as a formula. */
function csvField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const nothingSent: DeliveryReport = {
  state: 'none',
  heldReason: null,
  withdrawn: false,
  waiting: [],
  plannedAt: null,
  sendAfter: null,
  startedAt: null,
  finishedAt: null,
  archivedAt: null,
  counts: [],
  firstSentAt: null,
  lastSentAt: null,
  slowest: [],
  texts: null,
  refusingDomains: [],
}
