import { z } from 'zod'
import type { AuditEntry, IdempotencyRecord, Prisma } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'
import { firstUuidAt } from '#platform/ids.ts'
import type { DeskReply } from '../desk-reply.ts'
import type { Editor } from '../requests/editor.ts'

export type AuditRow = AuditEntry & { editorKey: { name: string } | null; person: { name: string } | null }

/** `editor` is null for a change by the site itself. */
type Entry = { editor: Pick<Editor, 'kind' | 'id'> | null; action: string; subject: string; details: object }

/** The action of a change of the order of an edition. Its details are the ids before and after it. */
export const orderAction = 'edition.order'

/** Returns who made a change. */
export function editorName({ person, editorKey }: AuditRow): string {
  return person?.name ?? editorKey?.name ?? 'the site itself'
}

/** Adds an audit entry. */
export async function recordChange(tx: Db, { editor, details, ...entry }: Entry): Promise<void> {
  await tx.auditEntry.create({
    data: {
      ...entry,
      editorKeyId: editor?.kind === 'key' ? editor.id : null,
      personId: editor?.kind === 'person' ? editor.id : null,
      details: toJson(details),
      memoId: entry.action.startsWith('memo.') ? memoOf(details) : null,
    },
  })
}

const memoSchema = z.object({ id: z.uuid() }).transform(({ id }) => id)
const memoDetailsSchema = z.union([
  z.object({ memo: z.union([z.uuid(), memoSchema]) }).transform(({ memo }) => memo),
  z.object({ before: memoSchema }).transform(({ before }) => before),
])

/** Returns the memo that the details of an entry name: by its id, as it was, or as it was before. */
function memoOf(details: object): string | null {
  return memoDetailsSchema.safeParse(details).data ?? null
}

export type AuditFilter = {
  /** The subjects, all of which must hold. */
  subjects: readonly string[]
  action?: string
  memoId?: string | undefined
  personId?: string | undefined
  /** The instants between which it happened. */
  between?: { from: Date; until: Date } | null
}

/** Lists a page of entries, newest first. Ids grow with time. */
export async function listAuditRows(
  db: Db,
  { limit, before }: { limit: number; before: string | undefined },
  filter: AuditFilter,
): Promise<AuditRow[]> {
  return await db.auditEntry.findMany({
    where: {
      AND: [
        ...(before === undefined ? [] : [{ id: { lt: before } }]),
        ...filter.subjects.map((subject) => ({ subject })),
        ...(filter.action === undefined ? [] : [{ action: filter.action }]),
        ...(filter.memoId === undefined ? [] : [{ memoId: filter.memoId }]),
        ...(filter.personId === undefined ? [] : [{ personId: filter.personId }]),
        ...(filter.between === undefined || filter.between === null ? [] : [isBetween(filter.between)]),
      ],
    },
    orderBy: { id: 'desc' },
    take: limit,
    include: { editorKey: { select: { name: true } }, person: { select: { name: true } } },
  })
}

// An id is made after the instant of its entry, which is that of the transaction's beginning.
const longestTransactionMs = 3_600_000

/** Selects by the ids first, which are the order of the list and in the index. */
function isBetween({ from, until }: { from: Date; until: Date }): Prisma.AuditEntryWhereInput {
  const latest = new Date(until.getTime() + longestTransactionMs)
  return { id: { gte: firstUuidAt(from), lt: firstUuidAt(latest) }, at: { gte: from, lt: until } }
}

export type IdempotencyRow = IdempotencyRecord

/** The status of a record whose request has not finished. */
export const inProgress = 102

/** Claims a key for a request; false if it is taken. Waits for a request in progress that has claimed it. */
export async function claimKey(
  tx: Db,
  claim: { editorId: string; key: string; requestHash: string; createdAt: Date },
): Promise<boolean> {
  const { count } = await tx.idempotencyRecord.createMany({
    data: [{ ...claim, status: inProgress, body: {} }],
    skipDuplicates: true,
  })
  return count === 1
}

export async function findRecord(db: Db, editorId: string, key: string): Promise<IdempotencyRow | null> {
  return await db.idempotencyRecord.findUnique({ where: { editorId_key: { editorId, key } } })
}

export async function storeReply(
  tx: Db,
  editorId: string,
  key: string,
  { status, etag, body }: DeskReply,
): Promise<void> {
  await tx.idempotencyRecord.update({
    where: { editorId_key: { editorId, key } },
    data: { status, etag, body: toJson(body) },
  })
}

/** Deletes the records from before an instant: of one key, or all. */
export async function removeOlder(
  db: Db,
  before: Date,
  only?: { editorId: string; key: string },
): Promise<void> {
  await db.idempotencyRecord.deleteMany({ where: { createdAt: { lt: before }, ...only } })
}
