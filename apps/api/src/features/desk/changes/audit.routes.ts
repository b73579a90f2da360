import { auditEntry, pageOf } from '@tidings/contracts/desk'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import type { Database } from '#platform/database.ts'
import { editorOf } from '../asker.ts'
import { toAuditEntry } from '../desk.mapper.ts'
import { deskErrors, idPage, secured } from '../desk-document.ts'
import { requireScope } from '../keys/editor-keys.service.ts'
import { listChanges } from './audit.repository.ts'

const auditQuery = idPage.extend({
  subject: z
    .string()
    .regex(/^[0-9A-Za-z._-]{1,100}$/, 'must be what a line of the log has as its subject')
    .optional()
    .describe(
      'An edition key, or the id of an article, a picture, a content group or a piece of secure content',
    ),
})

/** The audit log: who changed what, and when. */
export function registerAuditLog(app: App, { database }: { database: Database }): void {
  app.get(
    paths.desk.audit,
    {
      config: { access: 'editor' },
      schema: {
        tags: ['Desk: audit log'],
        security: secured,
        summary: 'Every change, newest first',
        querystring: auditQuery,
        response: { 200: pageOf(auditEntry), ...deskErrors },
      },
    },
    async (request) => {
      requireScope(editorOf(request), 'read')
      const { limit, after, subject } = request.query
      const rows = await listChanges(database.db, {
        limit: limit + 1,
        before: after ?? null,
        subject: subject ?? null,
      })
      const page = rows.slice(0, limit)
      return { data: page.map(toAuditEntry), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
    },
  )
}
