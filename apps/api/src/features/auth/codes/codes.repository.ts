import type { OneTimeCode, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import type { Source } from '../known-sources.ts'
import type { CodeBinding } from './code-secrets.ts'

const keptMs = 2 * 24 * 3600 * 1000
const maxCompared = 20

export type CodeRow = OneTimeCode

export async function createCode(tx: Db, code: Prisma.OneTimeCodeCreateInput): Promise<void> {
  await tx.oneTimeCode.create({ data: code, select: { id: true } })
}

export async function lockCode(tx: Db, id: string): Promise<CodeRow | null> {
  await tx.$queryRaw`SELECT 1 FROM one_time_code WHERE id = ${id}::uuid FOR UPDATE`
  return await tx.oneTimeCode.findUnique({ where: { id } })
}

/** Numbers of codes of a kind sent to a mailbox: by one source, by unknown sources, and in all. */
export type SentCounts = { bySource: number; byUnknown: number; all: number }

/**
 * Counts the codes of this kind for its mailbox since then that were sent or are about to be, except this one. Requests
 * that sent nothing don't count, or they could block the mailbox's emails.
 */
export async function countSent(db: Db, code: CodeRow, since: Date): Promise<SentCounts> {
  const rows = await db.$queryRaw<SentCounts[]>`
    SELECT count(*) FILTER (WHERE source_hash = ${code.sourceHash})::int AS "bySource",
      count(*) FILTER (WHERE NOT is_source_known)::int AS "byUnknown", count(*)::int AS "all"
    FROM one_time_code
    WHERE app_id = ${code.appId} AND mailbox = ${code.mailbox} AND purpose = ${code.purpose}::code_purpose
      AND id <> ${code.id}::uuid AND created_at > ${since}
      AND (sent_at IS NOT NULL OR (code_hash IS NOT NULL AND used_at IS NULL))`
  return rows[0] ?? { bySource: 0, byUnknown: 0, all: 0 }
}

/** Counts a network's sign-up codes since then whose addresses still have no account. */
export async function countUnusedSignups(db: Db, code: CodeRow, since: Date): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count
    FROM one_time_code code
    WHERE network_hash = ${code.networkHash} AND created_at > ${since} AND purpose = 'signup' AND id <> ${code.id}::uuid
      AND code_hash IS NOT NULL AND NOT captcha_solved
      AND NOT EXISTS (SELECT FROM member WHERE member.app_id = code.app_id AND member.email = code.email)`
  return rows[0]?.count ?? 0
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

/** The tries that one source has with a code, and all unknown sources together. */
export type TryLimit = { tries: number; triesInAll: number }

/**
 * Uses one of the source's tries with the newest code of an address, atomically. Returns null if no try is left.
 *
 * NOTE: it writes to ended codes too, so that it takes as long whether or not a code was ever sent.
 */
export async function takeTry(
  db: Db,
  { appId, purpose, email }: CodeBinding,
  source: Source,
  limit: TryLimit & { now: Date },
): Promise<{ id: string; codeHash: string | null } | null> {
  const { hash, isKnown } = source
  const rows = await db.$queryRaw<{ id: string; codeHash: string | null; isAllowed: boolean }[]>`
    UPDATE one_time_code
    SET source_tries = CASE WHEN ${isKnown} OR tries < ${limit.triesInAll}
        THEN source_tries || jsonb_build_object(
          ${hash}::text, least(coalesce((source_tries->>${hash})::int, 0) + 1, ${limit.tries}))
        ELSE source_tries END,
      tries = CASE WHEN ${isKnown} OR coalesce((source_tries->>${hash})::int, 0) >= ${limit.tries}
        THEN tries ELSE least(tries + 1, ${limit.triesInAll}) END
    WHERE id = (
      SELECT id FROM one_time_code
      WHERE app_id = ${appId} AND email = ${email} AND purpose = ${purpose}::code_purpose
      ORDER BY used_at IS NULL AND expires_at > ${limit.now} DESC, code_hash IS NULL, created_at DESC, id DESC
      LIMIT 1
    )
    RETURNING new.id::text, new.code_hash AS "codeHash",
      new.used_at IS NULL AND new.expires_at > ${limit.now} AND (${isKnown} OR old.tries < ${limit.triesInAll})
        AND coalesce((old.source_tries->>${hash})::int, 0) < ${limit.tries} AS "isAllowed"`
  const [row] = rows
  return row?.isAllowed === true ? { id: row.id, codeHash: row.codeHash } : null
}

/** Takes an advisory lock on this name until the transaction ends, so that what it counts stays exact. */
export async function lockCount(tx: Db, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`
}

/** Returns the newest active reset codes that a browser or a network has requested, one for each address. */
export async function listActiveResets(
  db: Db,
  from: { appId: string; browserHash: string } | { appId: string; networkHash: string },
  now: Date,
): Promise<CodeRow[]> {
  const rows = await db.oneTimeCode.findMany({
    where: { ...from, purpose: 'reset', usedAt: null, expiresAt: { gt: now } },
    orderBy: { createdAt: 'desc' },
    take: maxCompared,
  })
  // A request without digits may be newer than the code that was sent.
  const byAddress = Map.groupBy(rows, ({ email }) => email).values()
  return [...byAddress].flatMap(
    (codes) => codes.find(({ codeHash }) => codeHash !== null) ?? codes.slice(0, 1),
  )
}

/** Counts the wrong guesses since then at codes of these sources, and at codes of unknown sources. */
export async function countGuesses(
  db: Db,
  appId: string,
  sources: string[],
  since: Date,
): Promise<{ bySource: number; byUnknown: number }> {
  const rows = await db.$queryRaw<{ bySource: number; byUnknown: number }[]>`
    SELECT coalesce(sum(guesses) FILTER (WHERE source_hash = ANY(${sources}::text[])), 0)::int AS "bySource",
      coalesce(sum(guesses) FILTER (WHERE NOT is_source_known), 0)::int AS "byUnknown"
    FROM one_time_code WHERE app_id = ${appId} AND guessed_at > ${since}`
  return rows[0] ?? { bySource: 0, byUnknown: 0 }
}

/** Counts a wrong guess at each of these codes. */
export async function addGuess(tx: Db, codes: CodeRow[], now: Date): Promise<void> {
  await tx.oneTimeCode.updateMany({
    where: { id: { in: codes.map(({ id }) => id) } },
    data: { guesses: { increment: 1 }, guessedAt: now },
  })
}

/** Removes codes two days after their request, which is longer than any limit looks back. */
export async function removeOldCodes(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMs)
  await db.oneTimeCode.deleteMany({ where: { createdAt: { lt: before } } })
}

function bindingOf({ appId, purpose, email }: CodeBinding): CodeBinding {
  return { appId, purpose, email }
}
