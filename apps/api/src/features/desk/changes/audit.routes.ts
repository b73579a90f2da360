import { type AuditEntry, auditEntry } from '@tidings/contracts/desk/desk'
import { pageOf } from '@tidings/contracts/envelope'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import type { Database } from '#platform/database.ts'
import { pageReply } from '../desk-reply.ts'
import { deskRoute, idPage } from '../requests/desk-route.ts'
import { type AuditRow, listChanges } from './audit.repository.ts'

const auditQuery = idPage.extend({
  subject: z
    .string()
    .regex(/^[0-9A-Za-z._-]{1,100}$/, 'must be the subject of an audit entry')
    .optional()
    .describe(
      'An edition key, or the id of an article, a picture, a content group or a piece of secure content',
    ),
})

/** Registers the audit log: who changed what, and when. */
export function registerAuditLog(app: App, database: Database): void {
  deskRoute(app, {
    method: 'GET',
    url: paths.desk.audit,
    tag: 'Desk: audit log',
    summary: 'Lists changes, newest first',
    scope: 'read',
    query: auditQuery,
    response: { 200: pageOf(auditEntry) },
    async run({ query: { limit, after, subject } }) {
      const rows = await listChanges(database.db, { limit: limit + 1, before: after, subject })
      return pageReply(rows, limit, { map: toAuditEntry, next: ({ id }) => id })
    },
  })
}

function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    editor: row.editorKey?.name ?? 'the site itself',
    action: row.action,
    subject: row.subject,
    details: z.record(z.string(), z.unknown()).parse(row.details),
  }
}
