import type { CalendarDate } from '@tidings/contracts/edition-key'
import { addDays, dateInZone } from '#features/editions/index.ts'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { SendingGuard } from '#platform/sending-guard/sending-guard.ts'
import type { DeliverySms } from '../content/sms/delivery-sms.ts'
import { deleteNotes, deleteNotesToMembers } from '../corrections/corrections.repository.ts'
import { listDigestEditions } from '../ledger/digest-editions.repository.ts'
import { removeFormerRecipients } from '../ledger/found-members.repository.ts'
import { countOpenDeliveries } from '../ledger/open-deliveries.repository.ts'
import { summarize } from '../ledger/report.repository.ts'
import {
  deleteDeliveries,
  findRunById,
  listArchivable,
  listOpenRuns,
  markArchived,
  storeReport,
  updateRun,
} from '../ledger/runs.repository.ts'
import { readReport } from '../report/delivery-report.ts'
import type { WaitingService } from '../report/waiting.service.ts'
import { enqueueSending } from '../transports.ts'
import type { DeliveryPlanning } from './planning.service.ts'

type Deps = Pick<PlatformDeps, 'database' | 'jobs' | 'clock'> & {
  planning: DeliveryPlanning
  sendingGuard: Pick<
    SendingGuard,
    'read' | 'check' | 'confirm' | 'confirmFailover' | 'setHeld' | 'listFolders'
  >
  timeZone: string
  keptDays: number
  deliverySms: DeliverySms
  waiting: Pick<WaitingService, 'ofRun'>
}

const dayMs = 24 * 3600 * 1000
const deletedAtOnce = 50_000

/** Creates the service of the operators' commands about all deliveries. */
export function createDeliveryOperations({
  database,
  jobs,
  clock,
  planning,
  sendingGuard,
  timeZone,
  keptDays,
  deliverySms,
  waiting,
}: Deps) {
  return {
    /** Plans the digest of a day now. Returns `planned`, `exists`, or `empty` if nothing of that day is sent. */
    async planDigest(date: CalendarDate): Promise<'planned' | 'exists' | 'empty'> {
      const plan = async (tx: Db) => {
        if ((await listDigestEditions(tx, date)).length === 0) return 'empty'
        return (await planning.planDigest(tx, date, 0)) === null ? 'exists' : 'planned'
      }
      return await database.transaction(plan, { isLong: true })
    },

    async hold(): Promise<void> {
      await sendingGuard.setHeld(clock.now())
    },

    /** Releases all sending. Runs that waited meanwhile aren't late. */
    async release(): Promise<void> {
      const now = clock.now()
      await sendingGuard.setHeld(null)
      await database.transaction(async (tx) => {
        for (const { id, state } of await listOpenRuns(tx, now)) {
          await updateRun(tx, id, { sendAfter: now, ...(state === 'sending' && { activeAt: now }) })
          await enqueueSending(jobs, tx, id)
        }
      })
    },

    /** Lets this database send, and this DATA_DIR. Deliveries that are too late are held for an editor. */
    async confirmInstance() {
      const confirmation = await sendingGuard.confirm()
      await jobs.retryHeld()
      return confirmation
    },

    /** Confirms a promoted standby, unless there is another reason to hold than its timeline. */
    async confirmFailover() {
      const result = await sendingGuard.confirmFailover()
      if (result.confirmation !== null) await jobs.retryHeld()
      return result
    },

    /** Returns why this database or DATA_DIR doesn't send, and what goes out once it is confirmed. */
    async findUnconfirmed() {
      const hold = await sendingGuard.check()
      const deliveries = await countOpenDeliveries(database.db)
      return { hold, outgoing: [...deliveries, ...(await jobs.listOutgoing())] }
    },

    /** Returns whether sending is allowed, the workers that wait for an operator, and why the runs of three days wait. */
    async summary() {
      const since = addDays(dateInZone(clock.now(), timeZone), -2)
      const runs = []
      for (const { id, ...summarized } of await summarize(database.db, since)) {
        const run = await findRunById(database.db, id)
        runs.push({ ...summarized, waiting: run === null ? [] : await waiting.ofRun(database.db, run) })
      }
      return { hold: await sendingGuard.read(), workers: await sendingGuard.listFolders(), runs }
    },

    /** Replaces the deliveries of old runs by their reports, and deletes the notes about their corrections. */
    async archive(): Promise<void> {
      const now = clock.now()
      const keptSince = new Date(now.getTime() - keptDays * dayMs)
      await removeFormerRecipients(database.db, keptSince)
      for (const run of await listArchivable(database.db, keptSince)) {
        if (run.report === null) {
          const report = await readReport(database.db, run, { deliverySms })
          await storeReport(database.db, run.id, { ...report, archivedAt: now.toISOString() })
        }
        // A million rows would exceed the time of one statement.
        while ((await deleteDeliveries(database.db, run.id, deletedAtOnce)) > 0);
        await database.transaction((tx) => markArchived(tx, run.id, now))
      }
      while ((await deleteNotesToMembers(database.db, keptSince, deletedAtOnce)) > 0);
      await deleteNotes(database.db, keptSince)
    },
  }
}
