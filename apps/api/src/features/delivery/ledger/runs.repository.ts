import type { CalendarDate } from '@tidings/contracts/edition-key'
import { z } from 'zod'
import { type DeliveryRun, Prisma } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'
import { fromDatabaseDate, toDatabaseDate } from '#platform/database-date.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'
import { announceProgress } from '../run-progress.ts'
import { isNotStopped } from './digest-editions.repository.ts'

export type RunRow = DeliveryRun

/** The subject of a run: an edition, or the digest of a day. */
export type RunSubject = { editionId: string } | { digestDate: CalendarDate }

// Any number, for advisory locks of ours only.
const planningLock = Prisma.sql`hashtext('delivery planning')`
const minuteMs = 60_000

type RunChange = Partial<
  Pick<
    RunRow,
    'state' | 'heldReason' | 'plannedAt' | 'sendAfter' | 'startedAt' | 'activeAt' | 'finishedAt' | 'memoIds'
  >
>

/** The change that holds a run which was withdrawn while it was sent. */
export const withdrawnChange = {
  state: 'held',
  heldReason: 'It was withdrawn while it was sent. Publish it again and resume to send the rest.',
} as const

/** Returns the change that holds a late run. */
export function lateChange(lateMs: number): RunChange {
  const minutes = Math.floor(lateMs / minuteMs)
  return { state: 'held', heldReason: `It missed its time by ${minutes} minutes. Resume it to send it.` }
}

export async function findRun(db: Db, subject: RunSubject): Promise<RunRow | null> {
  return await db.deliveryRun.findUnique({
    where: 'editionId' in subject ? subject : { digestDate: toDatabaseDate(subject.digestDate) },
  })
}

/** Announces until the transaction ends that a run is being planned: others don't see it before the commit. */
export async function announcePlanning(tx: Db, { editionId, digestDate }: RunRow): Promise<void> {
  const name = editionId ?? digestDate?.toISOString() ?? ''
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${planningLock}, hashtext(${name}))`
}

/** Returns whether a transaction is planning this run, or a new one of the same subject. */
export async function isBeingPlanned(db: Db, subject: RunSubject): Promise<boolean> {
  const name = 'editionId' in subject ? subject.editionId : toDatabaseDate(subject.digestDate).toISOString()
  const rows = await db.$queryRaw`
    SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE datname = current_database() AND locktype = 'advisory'
      AND classid = ${planningLock}::oid AND objid = hashtext(${name})::oid`
  return rows.length > 0
}

export async function findRunById(db: Db, id: number): Promise<RunRow | null> {
  return await db.deliveryRun.findUnique({ where: { id } })
}

/** Returns the subject of a run, in words that stay the same when the database is restored. */
export async function nameSubject(db: Db, { editionId, digestDate }: RunRow): Promise<string> {
  if (digestDate !== null) return `digest ${digestDate.toISOString().slice(0, 10)}`
  const edition = await db.edition.findUnique({ where: { id: editionId ?? '' } })
  return edition === null ? '' : `edition ${edition.date.toISOString().slice(0, 10)} ${edition.slot}`
}

/** Locks a run until the transaction ends. */
export async function lockRun(tx: Db, id: number): Promise<RunRow | null> {
  await tx.$queryRaw`SELECT 1 FROM delivery_run WHERE id = ${id} FOR UPDATE`
  return await findRunById(tx, id)
}

/** Creates a run; returns null if there is one. */
export async function createRun(
  tx: Db,
  subject: RunSubject,
  times: { createdAt: Date; sendAfter: Date },
): Promise<RunRow | null> {
  const data =
    'editionId' in subject
      ? { ...times, editionId: subject.editionId }
      : { ...times, digestDate: toDatabaseDate(subject.digestDate) }
  const [row] = await tx.deliveryRun.createManyAndReturn({ data: [data], skipDuplicates: true })
  return row ?? null
}

export async function updateRun(tx: Db, id: number, change: RunChange): Promise<RunRow> {
  if (change.state !== undefined || change.plannedAt !== undefined) await announceProgress(tx, id)
  return await tx.deliveryRun.update({ where: { id }, data: change })
}

/** Continues a run that is done or just ends, because a delivery of it is to be sent again. Holds one that is withdrawn. */
export async function reopenRun(tx: Db, id: number, now: Date): Promise<void> {
  await lockRun(tx, id)
  if (await isWithdrawn(tx, { id })) {
    const heldReason =
      'It was withdrawn, and something of it is to be sent again. Publish it again and resume.'
    await tx.deliveryRun.updateMany({
      where: { id, state: 'done' },
      data: { state: 'held', heldReason, finishedAt: null },
    })
    return
  }
  await tx.deliveryRun.updateMany({
    where: { id, state: 'done' },
    data: { state: 'sending', sendAfter: now, activeAt: now, finishedAt: null },
  })
}

/**
 * Marks a run that is sending as done, unless deliveries of it are still to be sent. The index is full of those that were,
 * so this reads their number instead, once an editor who sends one again has the run no longer locked.
 */
export async function finishRun(tx: Db, id: number, now: Date): Promise<boolean> {
  await lockRun(tx, id)
  const count = await tx.$executeRaw`
    UPDATE delivery_run SET state = 'done', finished_at = ${now}
    WHERE id = ${id} AND state = 'sending'
      AND (
        SELECT coalesce(sum(count), 0) FROM delivery_count
        WHERE run_id = ${id} AND state IN ('planned', 'sending')
      ) = 0`
  return count === 1
}

/** Lists the runs that are to be sent or being sent, in order. */
export async function listOpenRuns(db: Db, now: Date): Promise<RunRow[]> {
  return await db.deliveryRun.findMany({
    where: { state: { in: ['planned', 'sending'] }, sendAfter: { lte: now }, plannedAt: { not: null } },
    orderBy: { sendAfter: 'asc' },
  })
}

/** Lists the oldest runs from before an instant whose deliveries are still kept. */
export async function listArchivable(db: Db, before: Date): Promise<RunRow[]> {
  return await db.deliveryRun.findMany({
    where: { archivedAt: null, createdAt: { lt: before } },
    orderBy: { id: 'asc' },
    take: 20,
  })
}

/** Stores the report that replaces the deliveries of a run. */
export async function storeReport(db: Db, id: number, report: object): Promise<void> {
  await db.deliveryRun.update({ where: { id }, data: { report: toJson(report) } })
}

/** Deletes some deliveries of a run. Returns how many. */
export async function deleteDeliveries(db: Db, runId: number, limit: number): Promise<number> {
  return await db.$executeRaw`
    DELETE FROM delivery WHERE id = ANY(ARRAY(SELECT id FROM delivery WHERE run_id = ${runId} LIMIT ${limit}))`
}

/** Marks a run whose deliveries are deleted. */
export async function markArchived(tx: Db, id: number, now: Date): Promise<void> {
  await tx.deliveryCount.deleteMany({ where: { runId: id } })
  await tx.deliveryRun.update({ where: { id }, data: { archivedAt: now } })
}

/** Selects the published editions that a run sends, each with its version, as one text. It changes with every correction. */
export function contentVersion(runId: number): Prisma.Sql {
  return Prisma.sql`
    SELECT coalesce(string_agg(edition.id || ':' || edition.version, ',' ORDER BY edition.publish_at), '')
    FROM delivery_run AS run
    JOIN edition ON edition.id = run.edition_id OR (edition.date = run.digest_date AND ${isNotStopped})
    WHERE run.id = ${runId} AND edition.status = 'published'`
}

const versionRowSchema = z.object({ version: z.string() })

/** Returns the content version of a run; empty if nothing is published. */
export async function getContentVersion(db: Db, runId: number): Promise<string> {
  const rows = await queryRows(db, versionRowSchema)`SELECT (${contentVersion(runId)}) AS version`
  return rows[0]?.version ?? ''
}

/** Returns whether nothing of a run's content is published. */
export async function isWithdrawn(db: Db, { id }: Pick<RunRow, 'id'>): Promise<boolean> {
  return (await getContentVersion(db, id)) === ''
}

/** Lists the ids of the memos that a run would deliver now. */
export async function listMemoIdsOfRun(db: Db, runId: number): Promise<string[]> {
  const rows = await queryRows(db, idRowSchema)`
    SELECT memo.id FROM delivery_run AS run
    JOIN edition ON edition.id = run.edition_id OR (edition.date = run.digest_date AND ${isNotStopped})
    JOIN memo ON memo.edition_id = edition.id
    WHERE run.id = ${runId} AND edition.status = 'published'`
  return rows.map(({ id }) => id)
}

/** Lists the days from before a date whose digest was neither planned nor stopped. */
export async function listWaitingDigests(db: Db, before: CalendarDate): Promise<CalendarDate[]> {
  const runs = await db.deliveryRun.findMany({
    where: {
      digestDate: { lt: toDatabaseDate(before) },
      plannedAt: null,
      state: 'planned',
      archivedAt: null,
    },
    select: { digestDate: true },
    orderBy: { digestDate: 'asc' },
  })
  return runs.flatMap(({ digestDate }) => (digestDate === null ? [] : [fromDatabaseDate(digestDate)]))
}

/** Deletes a run without deliveries. */
export async function removeUnplannedRun(tx: Db, id: number): Promise<void> {
  await tx.deliveryRun.deleteMany({ where: { id, plannedAt: null } })
}
