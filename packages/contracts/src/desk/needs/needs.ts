import { z } from 'zod'
import { dataOf } from '../../envelope.ts'
import { deskEndpoint } from '../desk-endpoint.ts'
import * as routes from '../routes.ts'

const edition = z.string().describe('Edition key')

const failedSend = z.object({
  edition: edition.nullable().describe('Edition key; null for a digest'),
  digest: z.string().nullable().describe('MM-DD-YY; null for an edition'),
  isHeld: z.boolean().describe('Whether the rest waits until an editor resumes it'),
  failed: z.int().describe('Deliveries that were refused'),
  reason: z.string().nullable().describe('Why it is held, or the most frequent reply'),
})

const leftOutMemo = z.object({ edition, memo: z.uuid(), title: z.string() })

const deadLink = z.object({
  edition,
  memo: z.uuid(),
  title: z.string(),
  url: z.string(),
  state: z.enum(['fails', 'silent', 'refused']).describe('As in the readiness of an edition'),
  status: z.int().nullable().describe('The HTTP status; null without a reply'),
  checkedAt: z.iso.datetime(),
})

export const deskNeeds = z.object({
  failedSends: z.array(failedSend).describe('Held ones, and those of two days with failed deliveries'),
  leftOut: z
    .array(leftOutMemo)
    .describe('Memos that were unfinished when their edition was published, and still wait; of seven days'),
  deadLinks: z.array(deadLink).describe('In editions of today and tomorrow, when they were last asked'),
  bounces: z.object({
    emails: z.int().describe('Emails that were returned in seven days'),
    suppressed: z.int().describe('Addresses that get nothing since then'),
  }),
})
export type DeskNeeds = z.infer<typeof deskNeeds>

export const listNeeds = deskEndpoint(routes.listNeeds, {
  tag: 'Desk: editions and memos',
  summary: 'Returns what needs an editor, apart from held editions, unconfirmed deliveries and reports',
  description: 'Those have lists of their own.',
  scope: 'read',
  reply: dataOf(deskNeeds),
})
