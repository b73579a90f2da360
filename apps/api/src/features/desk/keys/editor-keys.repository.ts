import type { EditorScope } from '@tidings/contracts/desk/desk'
import type { EditorKey } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type EditorKeyRow = EditorKey

type NewKey = { name: string; secretHash: string; scopes: readonly EditorScope[] }

export async function createKey(db: Db, key: NewKey): Promise<void> {
  await db.editorKey.create({ data: { ...key, scopes: [...key.scopes] } })
}

/** Creates a key unless one with its secret exists, revoked or not. */
export async function createKeyOnce(db: Db, key: NewKey): Promise<void> {
  await db.editorKey.createMany({ data: [{ ...key, scopes: [...key.scopes] }], skipDuplicates: true })
}

/** Returns the key with a secret, revoked or not. */
export async function findKey(db: Db, secretHash: string): Promise<EditorKeyRow | null> {
  return await db.editorKey.findUnique({ where: { secretHash } })
}

export async function listKeys(db: Db): Promise<EditorKeyRow[]> {
  return await db.editorKey.findMany({ orderBy: { id: 'asc' } })
}

/** Revokes the active keys with a name, except the one with `keepHash`. Returns their number. */
export async function revokeKeys(db: Db, name: string, now: Date, keepHash?: string): Promise<number> {
  const { count } = await db.editorKey.updateMany({
    where: { name, revokedAt: null, ...(keepHash !== undefined && { secretHash: { not: keepHash } }) },
    data: { revokedAt: now },
  })
  return count
}

/** Records that a key was used, at most once a minute. */
export async function recordUse(db: Db, id: string, now: Date): Promise<void> {
  const minuteAgo = new Date(now.getTime() - 60_000)
  await db.editorKey.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: minuteAgo } }] },
    data: { lastUsedAt: now },
  })
}
