import { z } from 'zod'
import { type OneTimeCode, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { countRowSchema, idRowSchema, queryRows } from '#platform/query-rows.ts'
import type { CodeBinding } from './code-secrets.ts'
import type { TryCounts } from './code-tries.ts'

const keptMs = 2 * 24 * 3600 * 1000
const hourMs = 3600 * 1000
const maxCompared = 5

export type CodeRow = OneTimeCode

export async function createCode(tx: Db, code: Prisma.OneTimeCodeCreateInput): Promise<void> {
  await tx.oneTimeCode.create({ data: code, select: { id: true } })
}

export async function lockCode(tx: Db, id: string): Promise<CodeRow | null> {
  await tx.$queryRaw`SELECT 1 FROM one_time_code WHERE id = ${id}::uuid FOR UPDATE`
  return await tx.oneTimeCode.findUnique({ where: { id } })
}

const sentCountsSchema = z.object({ bySource: z.int(), byUnknown: z.int(), all: z.int() })

/** Numbers of codes of a kind sent to a mailbox: by one source, by unknown sources, and in all. */
export type SentCounts = z.infer<typeof sentCountsSchema>

/**
 * Counts the codes of this kind for its mailbox since then that were sent or are about to be, except this one. Requests
 * that sent nothing don't count, or they could block the mailbox's emails.
 */
export async function countSent(db: Db, code: CodeRow, since: Date): Promise<SentCounts> {
  const rows = await queryRows(db, sentCountsSchema)`
    SELECT count(*) FILTER (WHERE source_hash = ${code.sourceHash})::int AS "bySource",
      count(*) FILTER (WHERE NOT is_source_known)::int AS "byUnknown", count(*)::int AS "all"
    FROM one_time_code
    WHERE app_id = ${code.appId} AND mailbox = ${code.mailbox} AND purpose = ${code.purpose}::code_purpose
      AND id <> ${code.id}::uuid AND created_at > ${since}
      AND (sent_at IS NOT NULL OR (code_hash IS NOT NULL AND used_at IS NULL))`
  return rows[0] ?? { bySource: 0, byUnknown: 0, all: 0 }
}

/** Counts the sign-up codes since then whose addresses still have no account, for each network of a code's requester. */
export async function countUnusedSignups(db: Db, code: CodeRow, since: Date): Promise<number[]> {
  const ofNetwork = Prisma.sql`network_hash = ${code.networkHash}`
  const ofWider = code.widerNetworks.map((hash) => Prisma.sql`wider_networks @> ARRAY[${hash}]`)
  const counts: number[] = []
  for (const isOfNetwork of [ofNetwork, ...ofWider]) {
    const rows = await queryRows(db, countRowSchema)`
      SELECT count(*)::int AS count
      FROM one_time_code code
      WHERE ${isOfNetwork} AND created_at > ${since} AND purpose = 'signup' AND id <> ${code.id}::uuid
        AND code_hash IS NOT NULL AND NOT captcha_solved
        AND NOT EXISTS (SELECT FROM member WHERE member.app_id = code.app_id AND member.email = code.email)`
    counts.push(rows[0]?.count ?? 0)
  }
  return counts
}

/** Returns whether the same source has requested a later code of this kind for the address. */
export async function hasLater(db: Db, code: CodeRow): Promise<boolean> {
  const { createdAt, id, sourceHash } = code
  const isLater = [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }]
  const later = await db.oneTimeCode.findFirst({
    where: { ...bindingOf(code), sourceHash, usedAt: null, OR: isLater },
    select: { id: true },
  })
  return later !== null
}

/** Returns whether a browser has requested a code of this kind for the address since then. */
export async function hasRequested(
  db: Db,
  binding: CodeBinding,
  browserHash: string,
  since: Date,
): Promise<boolean> {
  const requested = await db.oneTimeCode.findFirst({
    where: { ...bindingOf(binding), browserHash, createdAt: { gt: since } },
    select: { id: true },
  })
  return requested !== null
}

/** Returns the newest code of a kind for an address that has digits and is valid. */
export async function findValid(db: Db, binding: CodeBinding, now: Date): Promise<CodeRow | null> {
  return await db.oneTimeCode.findFirst({
    where: { ...bindingOf(binding), codeHash: { not: null }, usedAt: null, expiresAt: { gt: now } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
}

/** Ends the unused codes that `where` selects; returns how many. */
export async function endCodes(db: Db, where: Prisma.OneTimeCodeWhereInput, now: Date): Promise<number> {
  const data = { usedAt: now, lookupHash: null }
  return (await db.oneTimeCode.updateMany({ where: { ...where, usedAt: null }, data })).count
}

/** Ends the earlier codes of this kind for the address: only the newest is valid. */
export async function endEarlier(tx: Db, code: CodeRow, now: Date): Promise<void> {
  const { createdAt, id } = code
  const isEarlier = [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }]
  await endCodes(tx, { ...bindingOf(code), OR: isEarlier }, now)
}

/** Claims a code in the transaction of what it allows: the first caller wins. */
export async function claimCode(tx: Db, id: string, now: Date): Promise<boolean> {
  return (await endCodes(tx, { id, expiresAt: { gt: now } }, now)) === 1
}

/** Stores a code's hashes; returns false if another active reset code of the app has the same digits. */
export async function storeHashes(
  tx: Db,
  { id, appId }: CodeRow,
  hashes: { codeHash: string; lookupHash: string | null; expiresAt: Date; now: Date },
): Promise<boolean> {
  const { codeHash, lookupHash, expiresAt, now } = hashes
  if (lookupHash !== null) {
    await tx.oneTimeCode.updateMany({
      where: { appId, lookupHash, expiresAt: { lte: now } },
      data: { lookupHash: null },
    })
    const taken = await tx.oneTimeCode.findFirst({
      where: { appId, lookupHash, id: { not: id } },
      select: { id: true },
    })
    if (taken !== null) return false
  }
  const data = { codeHash, lookupHash, expiresAt }
  await tx.oneTimeCode.update({ where: { id }, data, select: { id: true } })
  return true
}

export async function markSent(db: Db, id: string, now: Date): Promise<void> {
  await db.oneTimeCode.update({ where: { id }, data: { sentAt: now }, select: { id: true } })
}

/**
 * Locks the code of an address that a try is compared with: the newest one. Without an active one, an ended code, so
 * that a try takes as long whether or not a code was ever sent.
 */
export async function lockNewest(tx: Db, binding: CodeBinding, now: Date): Promise<CodeRow | null> {
  const { appId, purpose, email } = binding
  const rows = await queryRows(tx, idRowSchema)`
    SELECT id::text FROM one_time_code
    WHERE app_id = ${appId} AND email = ${email} AND purpose = ${purpose}::code_purpose
    ORDER BY used_at IS NULL AND expires_at > ${now} DESC, code_hash IS NULL, created_at DESC, id DESC
    LIMIT 1 FOR UPDATE`
  const [row] = rows
  return row === undefined ? null : await tx.oneTimeCode.findUnique({ where: { id: row.id } })
}

const triesRowSchema = z.object({ lastHour: z.int(), lastDay: z.int() })

/** Counts the tries of unknown sources with the other codes of an address, requested in the last hour and day. */
export async function countOtherTries(
  tx: Db,
  code: CodeRow,
  now: Date,
): Promise<{ lastHour: number; lastDay: number }> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const rows = await queryRows(tx, triesRowSchema)`
    SELECT coalesce(sum(tries) FILTER (WHERE created_at > ${before(hourMs)}), 0)::int AS "lastHour",
      coalesce(sum(tries), 0)::int AS "lastDay"
    FROM one_time_code
    WHERE app_id = ${code.appId} AND email = ${code.email} AND purpose = ${code.purpose}::code_purpose
      AND id <> ${code.id}::uuid AND created_at > ${before(24 * hourMs)}`
  return rows[0] ?? { lastHour: 0, lastDay: 0 }
}

export async function storeTries(tx: Db, id: string, counts: TryCounts): Promise<void> {
  await tx.oneTimeCode.update({ where: { id }, data: counts, select: { id: true } })
}

/** Takes an advisory lock on this name until the transaction ends, so that what it counts stays exact. */
export async function lockCount(tx: Db, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`
}

/** Returns the newest active reset codes that a browser or a network has requested, one for each of five addresses. */
export async function listActiveResets(
  db: Db,
  from: { appId: string; browserHash: string } | { appId: string; networkHash: string },
  now: Date,
): Promise<CodeRow[]> {
  return await db.oneTimeCode
    .findMany({
      where: { ...from, purpose: 'reset', usedAt: null, expiresAt: { gt: now } },
      distinct: ['email'],
      // A request without digits may be newer than the code that was sent.
      orderBy: [{ email: 'asc' }, { codeHash: { sort: 'asc', nulls: 'last' } }, { createdAt: 'desc' }],
    })
    .then((codes) => codes.toSorted(byCreation).slice(0, maxCompared))
}

/** Returns the codes of an app with wrong guesses since then. */
export async function listGuessed(db: Db, appId: string, since: Date): Promise<CodeRow[]> {
  return await db.oneTimeCode.findMany({ where: { appId, guessedAt: { gt: since } } })
}

/** Counts a wrong guess at each of these codes. */
export async function addGuess(tx: Db, codes: CodeRow[], now: Date): Promise<void> {
  await tx.oneTimeCode.updateMany({
    where: { id: { in: codes.map(({ id }) => id) } },
    data: { guesses: { increment: 1 }, guessedAt: now },
  })
}

/**
 * Removes codes two days after their request, which is longer than any limit looks back. Those that a transaction is
 * using stay until the next time: waiting for several at once could end in a deadlock.
 */
export async function removeOldCodes(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMs)
  await db.$executeRaw`
    DELETE FROM one_time_code WHERE id IN (
      SELECT id FROM one_time_code WHERE created_at < ${before} FOR UPDATE SKIP LOCKED)`
}

function byCreation(one: CodeRow, other: CodeRow): number {
  return other.createdAt.getTime() - one.createdAt.getTime()
}

function bindingOf({ appId, purpose, email }: CodeBinding): CodeBinding {
  return { appId, purpose, email }
}
