import { z } from 'zod'
import { type CorrectionNote, CorrectionState, DeliveryMethod, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { countRowSchema, queryRows } from '#platform/query-rows.ts'
import { type RecipientRules, recipients } from '../ledger/recipients.repository.ts'
import { methodsTo } from '../methods.ts'

export type CorrectionNoteRow = CorrectionNote

/** A memo whose text changed at an instant. */
export type Corrected = { memoId: string; editionId: string; editionDate: Date; correctedAt: Date }

/** Texts and notifications link to the page as it is now, so only emails keep an old text. */
const methods = methodsTo('email')

/** Selects the deliveries by email of the edition, and of the digest of its day, that have the memo. */
function deliveriesWith({ memoId, editionId, editionDate }: Omit<Corrected, 'correctedAt'>): Prisma.Sql {
  return Prisma.sql`
    delivery_run AS run JOIN delivery ON delivery.run_id = run.id AND delivery.member_id IS NOT NULL
      AND delivery.method = ANY(${[...methods]}::delivery_method[])
    WHERE (run.edition_id = ${editionId}::uuid OR run.digest_date = ${editionDate}::date)
      AND ${memoId}::uuid = ANY(run.memo_ids)`
}

/** Returns the condition that a delivery had the text from before the correction. */
function hasOldText(correctedAt: Date): Prisma.Sql {
  return Prisma.sql`delivery.state IN ('sent', 'delivered') AND delivery.claimed_at < ${correctedAt}`
}

/** Counts the members who got the old text by email. */
export async function countOldTexts(db: Db, { correctedAt, ...memo }: Corrected): Promise<number> {
  const [row] = await queryRows(db, countRowSchema)`
    SELECT count(DISTINCT delivery.member_id)::int AS count
    FROM ${deliveriesWith(memo)} AND ${hasOldText(correctedAt)}`
  return row?.count ?? 0
}

const mailboxesSchema = z.object({ count: z.int(), isArchived: z.boolean() })

/** Counts the members who got an edition by email, alone or in the digest of its day; null once that is archived. */
export async function countMailboxes(
  db: Db,
  { id, date }: { id: string; date: Date },
): Promise<number | null> {
  const [row] = await queryRows(db, mailboxesSchema)`
    SELECT count(DISTINCT delivery.member_id)::int AS count,
      coalesce(bool_or(run.archived_at IS NOT NULL), false) AS "isArchived"
    FROM delivery_run AS run LEFT JOIN delivery ON delivery.run_id = run.id
      AND delivery.method = ANY(${[...methods]}::delivery_method[]) AND delivery.state IN ('sent', 'delivered')
    WHERE run.edition_id = ${id}::uuid OR run.digest_date = ${date}::date
      AND run.memo_ids && ARRAY(SELECT id FROM memo WHERE edition_id = ${id}::uuid)`
  return row === undefined || row.isArchived ? null : row.count
}

/** Returns whether the deliveries of a memo are archived, so that it isn't known any more who got it. */
export async function areArchived(
  db: Db,
  { memoId, editionId, editionDate }: Omit<Corrected, 'correctedAt'>,
): Promise<boolean> {
  const run = await db.deliveryRun.findFirst({
    where: {
      archivedAt: { not: null },
      memoIds: { has: memoId },
      OR: [{ editionId }, { digestDate: editionDate }],
    },
    select: { id: true },
  })
  return run !== null
}

/** Counts the members who wait for an email with the memo, which will have the new text. */
export async function countWaiting(db: Db, memo: Omit<Corrected, 'correctedAt'>): Promise<number> {
  const [row] = await queryRows(db, countRowSchema)`
    SELECT count(DISTINCT delivery.member_id)::int AS count
    FROM ${deliveriesWith(memo)} AND delivery.state = 'planned'`
  return row?.count ?? 0
}

/** Stores a note, unless this correction has one. Returns whether it did. */
export async function createNote(tx: Db, note: CorrectionNoteRow): Promise<boolean> {
  const { count } = await tx.correctionNote.createMany({ data: [note], skipDuplicates: true })
  return count === 1
}

export async function findNote(
  db: Db,
  { memoId, correctedAt }: Pick<Corrected, 'memoId' | 'correctedAt'>,
): Promise<CorrectionNoteRow | null> {
  return await db.correctionNote.findUnique({ where: { memoId_correctedAt: { memoId, correctedAt } } })
}

export async function findNoteById(db: Db, id: string): Promise<CorrectionNoteRow | null> {
  return await db.correctionNote.findUnique({ where: { id } })
}

/** Plans a note for each member who got the old text, once. Returns how many. */
export async function planNote(
  tx: Db,
  noteId: string,
  { correctedAt, ...memo }: Corrected,
  now: Date,
): Promise<number> {
  return await tx.$executeRaw`
    INSERT INTO correction_delivery (note_id, member_id, delivery_id, method, updated_at)
    SELECT DISTINCT ON (delivery.member_id) ${noteId}::uuid, delivery.member_id, delivery.id, delivery.method, ${now}
    FROM ${deliveriesWith(memo)} AND ${hasOldText(correctedAt)}
    ORDER BY delivery.member_id, delivery.method`
}

const claimedSchema = z.object({
  memberId: z.string(),
  deliveryId: z.string(),
  method: z.enum(DeliveryMethod),
  address: z.string(),
  linkVersion: z.int(),
  state: z.enum(CorrectionState),
})
export type ClaimedCorrection = z.infer<typeof claimedSchema>

/** Claims planned notes, so that no other job sends them. Those whose members can't get them now are not delivered. */
export async function claimCorrections(
  db: Db,
  noteId: string,
  {
    limit,
    without,
    rules,
    now,
  }: { limit: number; without: readonly string[]; rules: RecipientRules; now: Date },
): Promise<ClaimedCorrection[]> {
  return await queryRows(db, claimedSchema)`
    WITH batch AS (
      SELECT member_id, delivery_id, method FROM correction_delivery
      WHERE note_id = ${noteId}::uuid AND state = 'planned' AND member_id <> ALL(${[...without]}::text[])
      ORDER BY member_id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), checked AS (
      SELECT batch.*, coalesce(recipient.address, '') AS address, coalesce(recipient.link_version, 0) AS link_version,
        CASE WHEN recipient.id IS NULL THEN 'account-deleted' ELSE recipient.obstacle END AS obstacle
      FROM batch LEFT JOIN (${recipients(rules, methods)}) AS recipient
        ON recipient.id = batch.member_id AND recipient.method = batch.method
    )
    UPDATE correction_delivery AS claimed SET
      state = (CASE WHEN checked.obstacle IS NULL THEN 'sending' ELSE 'not_delivered' END)::correction_state,
      reason = checked.obstacle, updated_at = ${now}
    FROM checked
    WHERE claimed.note_id = ${noteId}::uuid AND claimed.member_id = checked.member_id
    RETURNING claimed.member_id AS "memberId", claimed.delivery_id::text AS "deliveryId", claimed.method,
      checked.address, checked.link_version AS "linkVersion", claimed.state`
}

export async function storeOutcome(
  db: Db,
  noteId: string,
  memberId: string,
  outcome: { state: CorrectionState; reason: string | null },
  now: Date,
): Promise<void> {
  await db.correctionDelivery.updateMany({
    where: { noteId, memberId, state: 'sending' },
    data: { ...outcome, updatedAt: now },
  })
}

/** Ends what a lost worker was sending: whether the server has it is unknown, and nothing is sent twice. */
export async function endLost(
  db: Db,
  noteId: string,
  { before, now }: { before: Date; now: Date },
): Promise<void> {
  await db.correctionDelivery.updateMany({
    where: { noteId, state: 'sending', updatedAt: { lt: before } },
    data: { state: 'unconfirmed', updatedAt: now },
  })
}

/** Returns how often an operator has confirmed the database. */
export async function readEpoch(db: Db): Promise<number> {
  const control = await db.deliveryControl.findUnique({ where: { id: 1 }, select: { epoch: true } })
  return control?.epoch ?? 0
}

/** Ends a note of a restored database, of which a part may have been sent since the backup. */
export async function endRestored(db: Db, noteId: string, now: Date): Promise<void> {
  await db.correctionDelivery.updateMany({
    where: { noteId, state: { in: ['planned', 'sending'] } },
    data: { state: 'unconfirmed', reason: 'The database was restored meanwhile.', updatedAt: now },
  })
}

/** Gives up what could not be sent for a day. */
export async function giveUp(db: Db, noteId: string, now: Date): Promise<void> {
  await db.correctionDelivery.updateMany({
    where: { noteId, state: 'planned' },
    data: { state: 'not_delivered', updatedAt: now },
  })
}

export async function countByOutcome(db: Db, noteId: string): Promise<Map<CorrectionState, number>> {
  const rows = await db.correctionDelivery.groupBy({ by: ['state'], where: { noteId }, _count: true })
  return new Map(rows.map(({ state, _count: count }) => [state, count]))
}

/** Selects the notes from before an instant whose deliveries, which say who got the old text, are deleted too. */
function oldNotes(before: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT note.id FROM correction_note AS note
    WHERE note.created_at < ${before} AND NOT EXISTS (
      SELECT 1 FROM delivery_run AS run WHERE run.archived_at IS NULL AND note.memo_id = ANY(run.memo_ids)
    )`
}

/** Deletes some old notes to members. Returns how many. */
export async function deleteNotesToMembers(db: Db, before: Date, limit: number): Promise<number> {
  return await db.$executeRaw`
    DELETE FROM correction_delivery WHERE (note_id, member_id) IN (
      SELECT note_id, member_id FROM correction_delivery WHERE note_id IN (${oldNotes(before)}) LIMIT ${limit}
    )`
}

/** Deletes old notes without members. */
export async function deleteNotes(db: Db, before: Date): Promise<void> {
  await db.$executeRaw`DELETE FROM correction_note WHERE id IN (${oldNotes(before)})`
}
