import { z } from 'zod'
import { pageOf } from '../envelope.ts'
import { deskEndpoint, idPage } from './desk-endpoint.ts'
import { findDay } from './find.ts'
import * as routes from './routes.ts'

export const auditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  editor: z.string().describe('Name of the person or of the editor key'),
  personId: z.string().nullable().describe('Null for a change by a key or by the site itself'),
  action: z.string().describe('What was done, such as edition.publish'),
  subject: z.string().describe('What it was done to: an edition key or an id'),
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
  edition: z
    .string()
    .regex(/^[0-9A-Za-z-]{1,30}$/, 'must be an edition key')
    .optional()
    .describe('An edition key: its own changes and those of its memos'),
  memo: z.uuid("must be a memo's id").optional().describe("A memo's id"),
  article: z.uuid("must be an article's id").optional().describe("An article's id"),
  person: z.uuid("must be a person's id").optional().describe("A person's id: what they did"),
  day: findDay.optional().describe('Only changes of this day, in the time zone of the site'),
})
export type AuditQuery = z.infer<typeof auditQuery>

export const listChanges = deskEndpoint(routes.listChanges, {
  tag: 'Desk: audit log',
  summary: 'Lists changes, newest first',
  scope: 'read',
  description: 'Filters narrow the list together.',
  query: auditQuery,
  reply: pageOf(auditEntry),
})
