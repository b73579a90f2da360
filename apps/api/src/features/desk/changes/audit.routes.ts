import { type AuditEntry, listChanges } from '@tidings/contracts/desk/audit'
import { z } from 'zod'
import { boundsOfDay } from '#features/editions/index.ts'
import type { App } from '#http/app-type.ts'
import type { Database } from '#platform/database.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import { pageReply } from '../desk-reply.ts'
import { registerDesk } from '../requests/register-desk.ts'
import { type AuditRow, editorName, listAuditRows } from './changes.repository.ts'

/** Registers the audit log: who changed what, and when. */
export function registerAuditLog(
  app: App,
  { database, timeZone }: { database: Database; timeZone: string },
): void {
  registerDesk(app, listChanges, async ({ query: { limit, after, day, ...query } }) => {
    const rows = await listAuditRows(
      database.db,
      { limit: limit + 1, before: after },
      {
        subjects: [query.subject, query.edition, query.article].filter((subject) => subject !== undefined),
        memoId: query.memo,
        personId: query.person,
        between: day === undefined ? null : boundsOfDay(fromDatabaseDate(new Date(day)), timeZone),
      },
    )
    return pageReply(rows, limit, { map: toAuditEntry, next: ({ id }) => id })
  })
}

function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    editor: editorName(row),
    personId: row.personId,
    action: row.action,
    subject: row.subject,
    details: z.record(z.string(), z.unknown()).parse(row.details),
  }
}
