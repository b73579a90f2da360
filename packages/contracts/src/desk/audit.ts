import { z } from 'zod'
import { pageOf } from '../envelope.ts'
import { deskEndpoint, idPage } from './desk-endpoint.ts'

export const auditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  editor: z.string().describe('Name of the person or of the editor key'),
  action: z.string(),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.infer<typeof auditEntry>

const auditQuery = idPage.extend({
  subject: z
    .string()
    .regex(/^[0-9A-Za-z._-]{1,100}$/, 'must be the subject of an audit entry')
    .optional()
    .describe(
      'An edition key, or the id of an article, a picture, a content group or a piece of secure content',
    ),
})

export const listChanges = deskEndpoint(
  { method: 'GET', path: '/desk/v1/audit' },
  {
    tag: 'Desk: audit log',
    summary: 'Lists changes, newest first',
    scope: 'read',
    query: auditQuery,
    reply: pageOf(auditEntry),
  },
)
