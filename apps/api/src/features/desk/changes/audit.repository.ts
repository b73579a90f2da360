import type { AuditEntry } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'

export type AuditRow = AuditEntry & { editorKey: { name: string } | null }

/** Adds an audit entry. `editorKeyId` is null for a change that no editor made. */
export async function recordChange(
  tx: Db,
  entry: { editorKeyId: string | null; action: string; subject: string; details: object },
): Promise<void> {
  await tx.auditEntry.create({ data: { ...entry, details: toJson(entry.details) } })
}

/** Lists a page of entries, newest first. Ids grow with time. */
export async function listAuditRows(
  db: Db,
  { limit, before, subject }: { limit: number; before: string | undefined; subject: string | undefined },
): Promise<AuditRow[]> {
  return await db.auditEntry.findMany({
    where: { ...(before !== undefined && { id: { lt: before } }), ...(subject !== undefined && { subject }) },
    orderBy: { id: 'desc' },
    take: limit,
    include: { editorKey: { select: { name: true } } },
  })
}
