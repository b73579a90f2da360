import { z } from 'zod'
import { editionStatus } from '../editions.ts'
import { dataOf, listQuery, pageOf } from '../envelope.ts'
import { describedError } from '../errors.ts'
import { limits } from '../limits.ts'
import { dataWithRemoved } from './desk.ts'
import { deskEndpoint, idPage } from './desk-endpoint.ts'
import {
  altText,
  caption,
  centerFocus,
  changeOf,
  focus,
  html,
  htmlUpTo,
  httpUrl,
  language,
  mediaFile,
  title,
} from './fields.ts'
import { findDays, findText } from './find.ts'
import { workingCopy } from './memo-text.ts'

/** The fields of a memo that editors write. */
export const memoKeys = {
  title,
  memo_content: html.describe(htmlUpTo(limits.memoContentCharacters)),
  source: z.union([z.literal(''), httpUrl]),
  media: mediaFile,
  media_title: caption,
  media_alt: altText,
  media_focus: focus,
  media_text: html.describe(htmlUpTo(limits.mediaTextCharacters)),
  language,
  position: z.int().min(1).max(limits.memosPerEdition),
  ready: z.boolean().describe('Whether its editor says that it is finished'),
}

/** A new memo, which may lack any field in a draft. Its HTML is cleaned. */
export const memoDraft = z.strictObject({
  ...memoKeys,
  title: title.default(''),
  memo_content: memoKeys.memo_content.default(''),
  source: memoKeys.source.default(''),
  media: mediaFile.default(''),
  media_title: caption.default(''),
  media_alt: altText.default(null),
  media_focus: focus.default(centerFocus),
  media_text: memoKeys.media_text.default(''),
  language: language.default(''),
  position: memoKeys.position.optional().describe('Place in the edition from 1; without it, the end'),
  ready: memoKeys.ready.default(false),
  private: z
    .boolean()
    .optional()
    .describe(
      'Whether readers of a published edition get it only once its working copy is published. By default, yes if a person adds it, no if a key does',
    ),
})
export type MemoDraft = z.infer<typeof memoDraft>

export const memoChange = changeOf(memoKeys)
export type MemoChange = z.infer<typeof memoChange>

export const deskMemo = z.object({
  id: z.string(),
  edition: z.string().describe('Edition key'),
  position: z.number().int(),
  title: z.string(),
  memo_content: z.string(),
  source: z.string(),
  media: z.string(),
  media_title: z.string(),
  media_alt: altText,
  media_focus: focus,
  media_text: z.string(),
  language: z.string(),
  ready: z.boolean(),
  note: z.string().describe('What its last correction says to readers; empty without a note'),
  notedAt: z.iso.datetime().nullable(),
  counter: z.number().int(),
  version: z.number().int(),
  savedBy: z.string().describe('The name of the person or key that saved it last; empty if unknown'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DeskMemo = z.infer<typeof deskMemo>

const deliver = z
  .boolean()
  .optional()
  .describe(
    'Whether members get it. Without it, the choice made before counts; without any, it is sent if its date is today or tomorrow in the zone of the site, or if it was scheduled. true sends a published edition of any day that was never sent, and returns 409 if it was. false stops what is not sent yet',
  )

/** Body of `POST /desk/v1/editions/{key}/publish`, which may be empty. */
export const publishRequest = z.strictObject({ deliver }).nullish()

/** The delivery of a memo that was added to an edition. */
export const memoDelivery = z
  .enum(['planned', 'planned-with-edition', 'too-late', 'none'])
  .describe(
    'planned: it is sent with its edition. planned-with-edition: its edition is scheduled, and both are sent once it is published. too-late: the edition is being sent or was, so this memo is not. none: nothing is sent of its edition, as things are',
  )
export type MemoDelivery = z.infer<typeof memoDelivery>

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
  subject: z
    .string()
    .trim()
    .max(limits.subjectCharacters)
    .optional()
    .describe('Subject of its emails; empty for the first title in the format of the site'),
})
export type EditionChange = z.infer<typeof editionChange>

/** An edition without its memos. */
export const deskEditionSummary = z.object({
  key: z.string(),
  date: z.string().describe('MM-DD-YY'),
  slot: z.string(),
  status: editionStatus,
  heldReason: z.string().nullable().describe('Why it is held; null unless it is'),
  publishAt: z.iso.datetime().describe("The slot's time in the site's zone, or the chosen one, as UTC"),
  publishedAt: z.iso.datetime().nullable(),
  deliver: z
    .boolean()
    .nullable()
    .describe('Whether members get it, as an editor chose; null without a choice'),
  subject: z.string().describe('Subject of its emails; empty for the first title'),
  memoCount: z.number().int(),
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
const editionQuery = idPage.extend({
  status: z.enum(editionStatus.options).optional(),
  ...findDays,
  q: findText.optional().describe('Only editions with a memo that has these words'),
})
export type EditionQuery = z.infer<typeof editionQuery>

/** A memo in a list, without its HTML. */
export const foundMemo = deskMemo.omit({ memo_content: true, media_text: true }).extend({
  editionStatus,
  excerpt: z.string().describe('Plain text: the words around the first that was found, or the beginning'),
})
export type FoundMemo = z.infer<typeof foundMemo>

/** Query of `GET /desk/v1/memos`. */
const memoQuery = listQuery.extend({
  status: z.enum(editionStatus.options).optional().describe("Its edition's"),
  ...findDays,
  q: findText.optional(),
  after: z
    .string()
    .regex(
      /^20\d\d-\d\d-\d\d_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
      "must be the 'next' of the page before",
    )
    .refine(
      (after) => z.iso.date().safeParse(after.slice(0, 10)).success,
      "must be the 'next' of the page before",
    )
    .optional(),
})
export type MemoQuery = z.infer<typeof memoQuery>

const editionParams = z.object({ key: z.string().describe('MM-DD-YY-slot') })

const memoParams = z.object({ id: z.uuid("must be a memo's id") })

export const listEditions = deskEndpoint(
  { method: 'GET', path: '/desk/v1/editions' },
  {
    tag: 'Desk: editions and memos',
    summary: 'Lists editions, newest day first, drafts included',
    scope: 'read',
    query: editionQuery,
    reply: pageOf(deskEditionSummary),
  },
)

export const findMemos = deskEndpoint(
  { method: 'GET', path: '/desk/v1/memos' },
  {
    tag: 'Desk: editions and memos',
    summary: 'Finds memos of editions of every status, newest day first',
    description:
      'Searches titles, texts, sources and captions. The list has no texts: read a memo for its own.',
    scope: 'read',
    query: memoQuery,
    reply: pageOf(foundMemo),
  },
)

export const getEdition = deskEndpoint(
  { method: 'GET', path: '/desk/v1/editions/:key' },
  {
    tag: 'Desk: editions and memos',
    summary: 'Returns an edition with its memos',
    description: 'Send the ETag back in If-Match to change it.',
    scope: 'read',
    params: editionParams,
    reply: dataOf(deskEdition),
  },
)

export const putEdition = deskEndpoint(
  { method: 'PUT', path: '/desk/v1/editions/:key' },
  {
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
        'It has changed since it was read, its slot is over, or `deliver: true` is impossible; the message says why',
      ),
    },
  },
)

export const publishEdition = deskEndpoint(
  { method: 'POST', path: '/desk/v1/editions/:key/publish' },
  {
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
  },
)

export const addMemo = deskEndpoint(
  { method: 'POST', path: '/desk/v1/editions/:key/memos' },
  {
    tag: 'Desk: editions and memos',
    summary: 'Adds a memo',
    scope: ['write', 'publish'],
    description:
      'In a published edition it is live at once, as NEW_MEMO. `delivery` says whether members get it: not once sending has begun. In a scheduled edition, it is sent with it.',
    params: editionParams,
    body: memoDraft,
    reply: dataWithRemoved(deskMemo).extend({ delivery: memoDelivery }),
    statuses: [201],
  },
)

export const getMemo = deskEndpoint(
  { method: 'GET', path: '/desk/v1/memos/:id' },
  {
    tag: 'Desk: editions and memos',
    summary: 'Returns a memo',
    scope: 'read',
    params: memoParams,
    reply: dataOf(deskMemo),
  },
)

export const changeMemo = deskEndpoint(
  { method: 'PATCH', path: '/desk/v1/memos/:id' },
  {
    tag: 'Desk: editions and memos',
    summary: 'Changes a memo; `position` moves it',
    scope: ['write', 'publish'],
    params: memoParams,
    body: memoChange,
    ifMatch: 'required',
    reply: dataWithRemoved(deskMemo),
  },
)

export const deleteMemo = deskEndpoint(
  { method: 'DELETE', path: '/desk/v1/memos/:id' },
  {
    tag: 'Desk: editions and memos',
    summary: 'Deletes a memo',
    scope: ['write', 'publish'],
    description: 'The audit log keeps its text.',
    params: memoParams,
    ifMatch: 'required',
    reply: dataOf(z.object({ id: z.string() })),
  },
)
