import type { Db } from '#platform/database.ts'

/** A claim on making or deleting a file. Its token is new for each holder, as a fencing token. */
export type Claim = { name: string; token: string }

/** Claims a file, unless another process holds an unexpired claim. Returns whether it did. */
export async function claimFile(
  db: Db,
  { name, token }: Claim,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const claimed = await db.$executeRaw`
    INSERT INTO pdf_claim AS held (name, token, claimed_until) VALUES (${name}, ${token}::uuid, ${until})
    ON CONFLICT (name) DO UPDATE
      SET token = excluded.token, claimed_until = excluded.claimed_until
      WHERE held.claimed_until <= ${now}`
  return claimed === 1
}

/** Returns the claim on a file, expired ones included. */
export async function findClaim(db: Db, name: string) {
  return await db.fileClaim.findUnique({ where: { name } })
}

/** Extends a claim, unless another process has taken it over. */
export async function extendClaim(db: Db, claim: Claim, until: Date): Promise<void> {
  await db.fileClaim.updateMany({ where: claim, data: { claimedUntil: until } })
}

/** Deletes a claim, unless another process has taken it over. */
export async function releaseClaim(db: Db, claim: Claim): Promise<void> {
  await db.fileClaim.deleteMany({ where: claim })
}

/** Deletes the claims that expired before a time. */
export async function removeExpiredClaims(db: Db, time: Date): Promise<void> {
  await db.fileClaim.deleteMany({ where: { claimedUntil: { lt: time } } })
}
