import type { Passkey } from '#generated/prisma/client.ts'
import type { StoredPasskey } from '#integrations/passkeys/passkey-verifier.ts'
import type { Db } from '#platform/database.ts'

export type PasskeyRow = Passkey

export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | null> {
  return await db.passkey.findUnique({ where: { credentialId } })
}

export async function listPasskeys(db: Db, personId: string): Promise<PasskeyRow[]> {
  return await db.passkey.findMany({ where: { personId }, orderBy: { id: 'asc' } })
}

export async function countPasskeys(db: Db, personId: string): Promise<number> {
  return await db.passkey.count({ where: { personId } })
}

export async function createPasskey(
  tx: Db,
  { counter, transports, ...passkey }: StoredPasskey & { personId: string; name: string; createdAt: Date },
): Promise<void> {
  await tx.passkey.create({
    data: { ...passkey, counter: BigInt(counter), transports: [...transports] },
  })
}

/** Records a use. Returns false if another use was recorded since the row was read. */
export async function recordPasskeyUse(
  db: Db,
  { id, counter: before }: PasskeyRow,
  { counter, now }: { counter: number; now: Date },
): Promise<boolean> {
  const { count } = await db.passkey.updateMany({
    where: { id, counter: before },
    data: { counter: BigInt(counter), lastUsedAt: now },
  })
  return count === 1
}

export async function removePasskeyRow(tx: Db, personId: string, id: string): Promise<boolean> {
  const { count } = await tx.passkey.deleteMany({ where: { id, personId } })
  return count === 1
}
