import type { EditorScope } from '@tidings/contracts/desk'
import type { EditorKey } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type EditorKeyRow = EditorKey

export async function createKey(
  db: Db,
  key: { name: string; secretHash: string; scopes: readonly EditorScope[] },
): Promise<EditorKeyRow> {
  return await db.editorKey.create({ data: { ...key, scopes: [...key.scopes] } })
}

/** Stores a key unless one with this secret is there already, revoked or not. */
export async function createKeyOnce(
  db: Db,
  key: { name: string; secretHash: string; scopes: readonly EditorScope[] },
): Promise<void> {
  await db.editorKey.createMany({ data: [{ ...key, scopes: [...key.scopes] }], skipDuplicates: true })
}

export async function findLiveKey(db: Db, secretHash: string): Promise<EditorKeyRow | null> {
  return await db.editorKey.findFirst({ where: { secretHash, revokedAt: null } })
}

export async function listKeys(db: Db): Promise<EditorKeyRow[]> {
  return await db.editorKey.findMany({ orderBy: { id: 'asc' } })
}

/** Revokes the keys of a name, except the one with `keepHash`; answers how many were live. */
export async function revokeKeys(db: Db, name: string, now: Date, keepHash?: string): Promise<number> {
  const { count } = await db.editorKey.updateMany({
    where: { name, revokedAt: null, ...(keepHash === undefined ? {} : { secretHash: { not: keepHash } }) },
    data: { revokedAt: now },
  })
  return count
}

/** Notes that a key is in use, at most once a minute. */
export async function noteUse(db: Db, id: string, now: Date): Promise<void> {
  const minuteAgo = new Date(now.getTime() - 60_000)
  await db.editorKey.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: minuteAgo } }] },
    data: { lastUsedAt: now },
  })
}
