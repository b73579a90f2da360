import type { MemberPhone } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type PhoneRow = MemberPhone

type NewCode = Pick<
  MemberPhone,
  | 'memberId'
  | 'text'
  | 'number'
  | 'codeHash'
  | 'codeExpiresAt'
  | 'consentAt'
  | 'consentOrigin'
  | 'consentText'
>

export async function findPhone(db: Db, memberId: string): Promise<PhoneRow | null> {
  return await db.memberPhone.findUnique({ where: { memberId } })
}

/** Stores a code for a number, which replaces the member's earlier ones and ends their verification. */
export async function storeCode(db: Db, { memberId, ...code }: NewCode): Promise<void> {
  const data = { ...code, codeTries: 0, verifiedAt: null }
  await db.memberPhone.upsert({ where: { memberId }, create: { ...data, memberId }, update: data })
}

/** Ends a code that was not sent, unless another one has replaced it. */
export async function endCode(db: Db, { memberId, codeHash }: { memberId: string; codeHash: string }) {
  await db.memberPhone.updateMany({ where: { memberId, codeHash }, data: { codeHash: null } })
}

/** Uses one of the tries with a member's active code, atomically. Returns null without one. */
export async function takeTry(
  db: Db,
  memberId: string,
  { tries, now }: { tries: number; now: Date },
): Promise<{ number: string; text: string; codeHash: string } | null> {
  const [row] = await db.memberPhone.updateManyAndReturn({
    where: { memberId, codeHash: { not: null }, codeExpiresAt: { gt: now }, codeTries: { lt: tries } },
    data: { codeTries: { increment: 1 } },
  })
  return row?.codeHash == null ? null : { number: row.number, text: row.text, codeHash: row.codeHash }
}

/** Verifies the number of a code. Returns false if the code was used or replaced meanwhile. */
export async function claimCode(
  tx: Db,
  { memberId, codeHash }: { memberId: string; codeHash: string },
  change: { verifiedAt: Date; timeZone: string | null },
): Promise<boolean> {
  const where = { memberId, codeHash }
  const data = { ...change, codeHash: null, programTextClaimedAt: null, programTextEndedAt: null }
  return (await tx.memberPhone.updateMany({ where, data })).count === 1
}

/** Keeps a verified number that the member now writes in another way. */
export async function updateText(db: Db, memberId: string, text: string): Promise<void> {
  await db.memberPhone.update({ where: { memberId }, data: { text }, select: { memberId: true } })
}

/** Returns whether nothing is sent to a number, because it got no texts or its owner stopped them. */
export async function isSuppressed(db: Db, number: string): Promise<boolean> {
  const where = { address: number, suppressedAt: { not: null } }
  return (await db.suppression.count({ where })) > 0
}

/** Sends to a number again. */
export async function liftSuppression(tx: Db, number: string, now: Date): Promise<void> {
  const where = { address: number, suppressedAt: { not: null } }
  await tx.suppression.updateMany({ where, data: { suppressedAt: null, liftedAt: now } })
}

/** Returns whether the database knows a time zone by this name. */
export async function isTimeZone(db: Db, name: string): Promise<boolean> {
  const rows = await db.$queryRaw`SELECT 1 FROM pg_timezone_names WHERE name = ${name}`
  return rows.length > 0
}
