import { z } from 'zod'
import { parseWireDate } from '../edition-key.ts'
import { pageOf } from '../envelope.ts'
import { deskEndpoint, idPage } from './desk-endpoint.ts'

export const auditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  editor: z.string().describe('Name of the person or of the editor key'),
  personId: z.string().nullable().describe('Null for a change by a key or by the site itself'),
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
      'An edition key, or the id of an article, a picture, a person, a content group or a piece of secure content',
    ),
  person: z.uuid("must be a person's id").optional().describe('Only changes by this person'),
  memo: z.uuid("must be a memo's id").optional().describe('Only changes of this memo'),
  day: z
    .string()
    .transform((text, context) => {
      const day = parseWireDate(text)
      if (day !== null) return day
      context.addIssue('must be a day, MM-DD-YY')
      return z.NEVER
    })
    .optional()
    .describe("Only changes on this day in the site's time zone, MM-DD-YY"),
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
