import type { OneTimeCode } from '../../../generated/prisma/client.ts'
import type { Db } from '../../../platform/database.ts'
import type { CodeBinding } from './code-secrets.ts'

const keptMs = 2 * 24 * 3600 * 1000

export type CodeRow = OneTimeCode

export async function createCode(
  tx: Db,
  code: Pick<OneTimeCode, 'id' | 'appId' | 'purpose' | 'email' | 'createdAt' | 'expiresAt'>,
): Promise<void> {
  await tx.oneTimeCode.create({ data: code, select: { id: true } })
}

/** Holds a code's row until the transaction ends. */
export async function lockCode(tx: Db, id: string): Promise<CodeRow | null> {
  await tx.$queryRaw`SELECT 1 FROM one_time_code WHERE id = ${id}::uuid FOR UPDATE`
  return await tx.oneTimeCode.findUnique({ where: { id } })
}

/**
 * How many codes of this kind, this one apart, the address was mailed of those asked for after `since`, or is being
 * mailed. What was asked for in vain does not count, or asking alone would keep the address from its mails.
 */
export async function countMailed(db: Db, code: CodeRow, since: Date): Promise<number> {
  return await db.oneTimeCode.count({
    where: {
      ...bindingOf(code),
      id: { not: code.id },
      createdAt: { gt: since },
      OR: [{ sentAt: { not: null } }, { codeHash: { not: null }, usedAt: null }],
    },
  })
}

/** Whether the address asked for another one of this kind since. */
export async function hasLater(db: Db, code: CodeRow): Promise<boolean> {
  const { createdAt, id } = code
  const later = await db.oneTimeCode.findFirst({
    where: {
      ...bindingOf(code),
      usedAt: null,
      OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }],
    },
    select: { id: true },
  })
  return later !== null
}

/** Ends what the address was given of this kind before: of several codes the newest alone is good. */
export async function endEarlier(tx: Db, code: CodeRow, now: Date): Promise<void> {
  const { createdAt, id } = code
  await tx.oneTimeCode.updateMany({
    where: {
      ...bindingOf(code),
      usedAt: null,
      OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }],
    },
    data: { usedAt: now, lookupHash: null },
  })
}

/** Gives a code its hashes; false when another living reset code of the app has the same digits. */
export async function storeHashes(
  tx: Db,
  code: CodeRow,
  hashes: { codeHash: string; lookupHash: string | null; expiresAt: Date; now: Date },
): Promise<boolean> {
  const { codeHash, lookupHash, expiresAt, now } = hashes
  if (lookupHash !== null) {
    await tx.oneTimeCode.updateMany({
      where: { appId: code.appId, lookupHash, expiresAt: { lte: now } },
      data: { lookupHash: null },
    })
    const taken = await tx.oneTimeCode.findFirst({
      where: { appId: code.appId, lookupHash, id: { not: code.id } },
      select: { id: true },
    })
    if (taken !== null) return false
  }
  await tx.oneTimeCode.update({
    where: { id: code.id },
    data: { codeHash, lookupHash, expiresAt },
    select: { id: true },
  })
  return true
}

export async function markSent(db: Db, id: string, now: Date): Promise<void> {
  await db.oneTimeCode.update({ where: { id }, data: { sentAt: now }, select: { id: true } })
}

/** Ends a code, and with it whatever else of its kind the address still holds. */
export async function endCodes(tx: Db, binding: CodeBinding, now: Date): Promise<void> {
  await tx.oneTimeCode.updateMany({
    where: { ...bindingOf(binding), usedAt: null },
    data: { usedAt: now, lookupHash: null },
  })
}

export async function endCode(db: Db, id: string, now: Date): Promise<void> {
  await db.oneTimeCode.updateMany({ where: { id, usedAt: null }, data: { usedAt: now, lookupHash: null } })
}

/**
 * Takes one of the tries at the newest living code of an address, and answers its id and hash; null when there is none,
 * or none of its tries is left. One statement, so that tries that come at once are all counted. What was only asked for
 * comes after what has digits: else asking again and again would keep a code that was mailed from being used.
 * NOTE: it writes to a code that is over as well, so that it lasts as long whether or not a code was ever mailed.
 */
export async function takeTry(
  db: Db,
  { appId, purpose, email }: CodeBinding,
  limit: { tries: number; now: Date },
): Promise<{ id: string; codeHash: string | null } | null> {
  const rows = await db.$queryRaw<{ id: string; codeHash: string | null; isLiving: boolean }[]>`
    UPDATE one_time_code SET tries = least(tries + 1, ${limit.tries})
    WHERE id = (
      SELECT id FROM one_time_code
      WHERE app_id = ${appId} AND email = ${email} AND purpose = ${purpose}::code_purpose
      ORDER BY used_at IS NULL AND expires_at > ${limit.now} DESC, code_hash IS NULL, created_at DESC, id DESC
      LIMIT 1
    )
    RETURNING new.id::text, new.code_hash AS "codeHash",
      new.used_at IS NULL AND new.expires_at > ${limit.now} AND old.tries < ${limit.tries} AS "isLiving"`
  const [row] = rows
  return row?.isLiving === true ? { id: row.id, codeHash: row.codeHash } : null
}

/** The living reset code of these digits, whoever it is for. */
export async function findByLookup(
  db: Db,
  appId: string,
  lookupHash: string,
  limit: { tries: number; now: Date },
): Promise<CodeRow | null> {
  return await db.oneTimeCode.findFirst({
    where: { appId, lookupHash, usedAt: null, expiresAt: { gt: limit.now }, tries: { lt: limit.tries } },
  })
}

/** Takes a code for good: the first caller wins. In the transaction of what the code allows. */
export async function claimCode(tx: Db, id: string, now: Date): Promise<boolean> {
  const { count } = await tx.oneTimeCode.updateMany({
    where: { id, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now, lookupHash: null },
  })
  return count === 1
}

/** Removes codes two days after they were asked for, which is longer than any limit looks back. */
export async function removeOldCodes(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMs)
  await db.oneTimeCode.deleteMany({ where: { createdAt: { lt: before } } })
}

function bindingOf({ appId, purpose, email }: CodeBinding): CodeBinding {
  return { appId, purpose, email }
}
