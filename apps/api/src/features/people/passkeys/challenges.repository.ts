import type { Db } from '#platform/database.ts'

export async function storeChallenge(
  db: Db,
  row: { challenge: string; purpose: string; expiresAt: Date },
): Promise<void> {
  await db.passkeyChallenge.create({ data: row })
}

/** Claims a challenge for one response. Returns false if it is unknown, used, of another purpose, or expired. */
export async function claimChallenge(
  db: Db,
  { challenge, purpose, now }: { challenge: string; purpose: string; now: Date },
): Promise<boolean> {
  const { count } = await db.passkeyChallenge.deleteMany({
    where: { challenge, purpose, expiresAt: { gt: now } },
  })
  return count === 1
}

export async function removeExpiredChallenges(db: Db, now: Date): Promise<void> {
  await db.passkeyChallenge.deleteMany({ where: { expiresAt: { lte: now } } })
}
