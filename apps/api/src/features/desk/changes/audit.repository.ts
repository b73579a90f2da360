import type { AuditEntry } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'

export type AuditRow = AuditEntry & { editorKey: { name: string } | null }

/** Notes one change; `editorKeyId` is null for what the site did by itself. */
export async function recordChange(
  tx: Db,
  entry: { editorKeyId: string | null; action: string; subject: string; details: object },
): Promise<void> {
  await tx.auditEntry.create({ data: { ...entry, details: toJson(entry.details) } })
}

/** A page of the log, newest first; ids grow with time. */
export async function listChanges(
  db: Db,
  page: { limit: number; before: string | null; subject: string | null },
): Promise<AuditRow[]> {
  return await db.auditEntry.findMany({
    where: {
      ...(page.before === null ? {} : { id: { lt: page.before } }),
      ...(page.subject === null ? {} : { subject: page.subject }),
    },
    orderBy: { id: 'desc' },
    take: page.limit,
    include: { editorKey: { select: { name: true } } },
  })
}
