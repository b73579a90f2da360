import { z } from 'zod'
import { editionStatus } from '../editions.ts'
import { dataOf, listQuery, pageOf } from '../envelope.ts'
import { describedError } from '../errors.ts'
import { deskEndpoint } from './desk-endpoint.ts'
import { editionSubject } from './fields.ts'
import { afterDay, findDays, findPerson, findStatus, findText } from './find.ts'
import { workingCopy } from './memo-text.ts'
import { deskMemo } from './memos.ts'
import * as routes from './routes.ts'

const deliver = z
  .boolean()
  .optional()
  .describe(
    'Whether members get it. Without it, the choice made before counts; without any, it is sent if its date is today or tomorrow in the zone of the site, or if it was scheduled. true sends a published edition of any day that was never sent, and returns 409 if it was. false stops what is not sent yet',
  )

const subject = editionSubject
  .optional()
  .describe('Subject of its emails; empty for the first title in the format of the site')

/** Body of `POST /desk/v1/editions/{key}/publish`, which may be empty. */
const publishRequest = z.strictObject({ deliver, subject }).nullish()
export type PublishRequest = z.infer<typeof publishRequest>

/** Body of `PUT /desk/v1/editions/{key}`. */
export const editionChange = z.strictObject({
  status: z
    .enum(['draft', 'scheduled', 'published'])
    .describe('draft keeps or withdraws it, scheduled publishes it at its slot, published publishes now'),
  deliver,
  publishAt: z.iso
    .datetime()
    .optional()
    .describe('With scheduled: another time than that of its slot, before the next slot'),
  subject,
})
export type EditionChange = z.infer<typeof editionChange>

/** An edition without its memos. */
export const deskEditionSummary = z.object({
  key: z.string(),
  date: z.string().describe('MM-DD-YY'),
  slot: z.string(),
  status: editionStatus,
  withdrawn: z.boolean().optional().describe('Whether readers had this draft before it was withdrawn'),
  heldReason: z.string().nullable().describe('Why it is held; null unless it is'),
  publishAt: z.iso.datetime().describe("The slot's time in the site's zone, or the chosen one, as UTC"),
  publishedAt: z.iso.datetime().nullable(),
  deliver: z
    .boolean()
    .nullable()
    .describe('Whether members get it, as an editor chose; null without a choice'),
  subject: z.string().describe('Subject of its emails; empty for the first title'),
  memoCount: z.number().int(),
  readyCount: z.number().int().describe('How many of its memos are marked as ready'),
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DeskEditionSummary = z.infer<typeof deskEditionSummary>

export const deskEdition = deskEditionSummary.extend({
  orderVersion: z.int().describe('What a change of the order is based on'),
  memos: z.array(deskMemo),
  workingCopies: z
    .array(workingCopy)
    .describe('The memos of a published edition with changes, or as a whole, that readers don’t have'),
})
export type DeskEdition = z.infer<typeof deskEdition>

/** Query of `GET /desk/v1/editions`. */
const editionQuery = listQuery.extend({
  status: findStatus.optional(),
  ...findDays,
  q: findText.optional().describe('Only editions with a memo that has these words'),
  person: findPerson
    .optional()
    .describe('Only editions with a memo that this person saved last; with q, the same memo'),
  after: afterDay,
})
export type EditionQuery = z.infer<typeof editionQuery>

const editionParams = z.object({ key: z.string().describe('MM-DD-YY-slot') })

export const listEditions = deskEndpoint(routes.listEditions, {
  tag: 'Desk: editions and memos',
  summary: 'Lists editions, newest day first, drafts included',
  scope: 'read',
  query: editionQuery,
  reply: pageOf(deskEditionSummary),
})

export const getEdition = deskEndpoint(routes.getEdition, {
  tag: 'Desk: editions and memos',
  summary: 'Returns an edition with its memos',
  description: 'Send the ETag back in If-Match to change it.',
  scope: 'read',
  params: editionParams,
  reply: dataOf(deskEdition),
})

export const putEdition = deskEndpoint(routes.putEdition, {
  tag: 'Desk: editions and memos',
  summary: 'Creates an edition, or changes its status',
  scope: ['write', 'publish'],
  description:
    '`draft` keeps or withdraws it, `scheduled` publishes it at its slot, `published` publishes it now. If-Match is needed when it exists. `deliver: true` sends a published edition that was never sent.',
  params: editionParams,
  body: editionChange,
  ifMatch: 'optional',
  reply: dataOf(deskEdition),
  statuses: [200, 201],
  errors: {
    409: describedError(
      'It has changed since it was read (`current` has it), its slot is over, or `deliver: true` is impossible; the message says why',
    ),
  },
})

export const publishEdition = deskEndpoint(routes.publishEdition, {
  tag: 'Desk: editions and memos',
  summary: 'Publishes an edition now',
  scope: 'publish',
  description:
    'Sends each memo as NEW_MEMO, in order. Members get it too if its date is today or tomorrow. Publishing it again changes and sends nothing, but `deliver: true` sends it to members if it was never sent. Send the ETag in If-Match, so that what was seen is what is published.',
  params: editionParams,
  body: publishRequest,
  ifMatch: 'optional',
  reply: dataOf(deskEdition),
  errors: {
    409: describedError(
      'Something is missing (`incomplete` lists it), the edition has changed since the version in If-Match, or `deliver: true` is impossible; the message says which',
    ),
  },
})
