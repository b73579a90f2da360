import { z } from 'zod'
import { deliveryMethods, pushMethod } from '../../delivery/methods.ts'
import { editionStatus } from '../../editions.ts'
import { dataOf } from '../../envelope.ts'
import { deskEndpoint } from '../desk-endpoint.ts'
import { httpUrl } from '../fields.ts'
import * as routes from '../routes.ts'

/** A link with the result of asking for it. */
const checkedLink = z.object({
  url: z.string(),
  state: z
    .enum(['checking', 'answers', 'fails', 'silent', 'refused'])
    .describe(
      'checking: it is being asked. answers: it leads to a page. fails: it returns an error. silent: there is no reply. refused: its address is not public, so readers can’t open it',
    ),
  status: z.int().nullable().describe('The HTTP status; null without a reply'),
  checkedAt: z.iso.datetime().nullable(),
  text: z.string().describe('For people, such as: Answers, checked 1 min ago'),
})
export type CheckedLink = z.infer<typeof checkedLink>

const memoReadiness = z.object({
  id: z.uuid(),
  position: z.int(),
  title: z.string(),
  missing: z
    .array(z.enum(['title', 'memo_content']))
    .describe('It can’t be published without them; the rest are warnings'),
  titleCharacters: z.int(),
  isTitleLong: z.boolean().describe('Over 90 characters'),
  words: z.int().describe('Of the text; 90 to 130 is usual'),
  picture: z
    .object({
      media: z.string(),
      width: z.int(),
      height: z.int(),
      isSmall: z.boolean().describe('Narrower than it is shown on a sharp screen'),
      hasAlt: z.boolean().describe('Whether people who can’t see it are told what it shows'),
    })
    .nullable(),
  links: z.array(checkedLink),
  duplicates: z
    .array(
      z.object({
        id: z.uuid(),
        edition: z.string().describe('Edition key'),
        title: z.string(),
        similarity: z.number().describe('Of the titles, up to 1'),
      }),
    )
    .describe('Memos of the last 30 days with a similar title, the most similar first'),
})
export type MemoReadiness = z.infer<typeof memoReadiness>

/** The members who would get an edition by one method. */
const methodRecipients = z.object({
  method: z.enum([...deliveryMethods, pushMethod]),
  count: z.int().describe('Members who would get it now'),
  reason: z.string().nullable().describe('Why there are none, for people; null if there are some'),
})
export type MethodRecipients = z.infer<typeof methodRecipients>

export const getReadiness = deskEndpoint(routes.getReadiness, {
  tag: 'Desk: previews',
  summary: 'Returns what an editor should look at before publishing',
  description:
    'Links that were not asked in the last ten minutes are asked now, by a job; read it again until `isChecking` is false.',
  scope: 'read',
  params: z.object({ key: z.string().describe('MM-DD-YY-slot') }),
  reply: dataOf(
    z.object({
      edition: z.string().describe('Edition key'),
      status: editionStatus,
      version: z.int(),
      isChecking: z.boolean().describe('Whether links are still being asked'),
      memos: z.array(memoReadiness),
      recipients: z.array(methodRecipients),
      members: z.int().describe('Members who would get it now, by one method or several; without the digest'),
    }),
  ),
})

export const checkLink = deskEndpoint(routes.checkLink, {
  tag: 'Desk: previews',
  summary: 'Tells where a link leads',
  description: 'At most ten minutes old. Only public addresses are called, redirects included.',
  scope: 'write',
  body: z.strictObject({ url: httpUrl }),
  reply: dataOf(checkedLink),
})
