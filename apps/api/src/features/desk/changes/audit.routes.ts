import { type AuditEntry, listChanges } from '@tidings/contracts/desk/audit'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { z } from 'zod'
import { addDays, publishInstant } from '#features/editions/index.ts'
import type { App } from '#http/app-type.ts'
import type { Database } from '#platform/database.ts'
import { pageReply } from '../desk-reply.ts'
import { registerDesk } from '../requests/register-desk.ts'
import { type AuditRow, listAuditRows } from './changes.repository.ts'

/** Registers the audit log: who changed what, and when. */
export function registerAuditLog(
  app: App,
  { database, site }: { database: Database; site: { timeZone: string } },
): void {
  registerDesk(app, listChanges, async ({ query: { limit, after, day, ...filter } }) => {
    const during = day === undefined ? null : spanOf(day, site.timeZone)
    const rows = await listAuditRows(database.db, { limit: limit + 1, before: after, during, ...filter })
    return pageReply(rows, limit, { map: toAuditEntry, next: ({ id }) => id })
  })
}

/** Returns the span of a day in the site's zone. */
function spanOf(day: CalendarDate, timeZone: string): { from: Date; until: Date } {
  const startOf = (date: CalendarDate) => publishInstant(date, { label: '', minutes: 0 }, timeZone)
  return { from: startOf(day), until: startOf(addDays(day, 1)) }
}

function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    editor: row.person?.name ?? row.editorKey?.name ?? 'the site itself',
    personId: row.personId,
    action: row.action,
    subject: row.subject,
    details: z.record(z.string(), z.unknown()).parse(row.details),
  }
}
