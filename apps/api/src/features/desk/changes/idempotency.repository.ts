import type { IdempotencyRecord } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'

export type IdempotencyRow = IdempotencyRecord

/**
 * Takes a key for one request. False when it is taken: by a request that has ended, or by one under way,
 * whose end is waited for.
 */
export async function claimKey(
  tx: Db,
  claim: { editorKeyId: string; key: string; requestHash: string; createdAt: Date },
): Promise<boolean> {
  const { count } = await tx.idempotencyRecord.createMany({
    data: [{ ...claim, status: 102, reply: {} }],
    skipDuplicates: true,
  })
  return count === 1
}

export async function findRecord(db: Db, editorKeyId: string, key: string): Promise<IdempotencyRow | null> {
  return await db.idempotencyRecord.findUnique({ where: { editorKeyId_key: { editorKeyId, key } } })
}

/** Keeps the reply, to be given again. */
export async function storeReply(
  tx: Db,
  editorKeyId: string,
  key: string,
  reply: { status: number; etag: string | null; reply: object },
): Promise<void> {
  await tx.idempotencyRecord.update({
    where: { editorKeyId_key: { editorKeyId, key } },
    data: { ...reply, reply: toJson(reply.reply) },
  })
}

/** Forgets what is older than `before`: one editor's key, or all. */
export async function removeOld(
  db: Db,
  before: Date,
  only?: { editorKeyId: string; key: string },
): Promise<number> {
  const { count } = await db.idempotencyRecord.deleteMany({
    where: { createdAt: { lt: before }, ...only },
  })
  return count
}
