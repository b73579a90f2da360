import type { Db } from '#platform/database.ts'

/** Returns which of the hashes an account knows. */
export async function findKnownHashes(
  db: Db,
  { appId, email }: { appId: string; email: string },
  hashes: string[],
  since: Date,
): Promise<string[]> {
  const rows = await db.knownSource.findMany({
    where: { sourceHash: { in: hashes }, lastUsedAt: { gt: since }, member: { appId, email } },
    select: { sourceHash: true },
  })
  return rows.map(({ sourceHash }) => sourceHash)
}

export async function addSources(tx: Db, memberId: string, hashes: string[], now: Date): Promise<void> {
  const data = hashes.map((sourceHash) => ({ memberId, sourceHash, lastUsedAt: now }))
  await tx.knownSource.createMany({ data, skipDuplicates: true })
}

/** Removes what an earlier owner of an account's address has logged in from. */
export async function forgetSources(tx: Db, memberId: string): Promise<void> {
  await tx.knownSource.deleteMany({ where: { memberId } })
}

export async function removeOlderSources(db: Db, before: Date): Promise<void> {
  await db.knownSource.deleteMany({ where: { lastUsedAt: { lt: before } } })
}
