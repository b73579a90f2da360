import { z } from 'zod'
import { editionStatus } from '../editions.ts'
import { dataOf, listQuery, pageOf } from '../envelope.ts'
import { describedError } from '../errors.ts'
import { limits } from '../limits.ts'
import { dataWithRemoved } from './desk.ts'
import { deskEndpoint } from './desk-endpoint.ts'
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
import { afterDay, findDays, findPerson, findStatus, findText } from './find.ts'
import { memoText, workingCopy } from './memo-text.ts'
import * as routes from './routes.ts'

/** The fields of a memo that editors write. */
export const memoKeys = {
  title,
  memo_content: html.describe(htmlUpTo(limits.memoContentCharacters)),
  source: z.union([z.literal(''), httpUrl]).describe('Web address of the source; empty for none'),
  media: mediaFile,
  media_title: caption,
  media_alt: altText,
  media_focus: focus,
  media_text: html.describe(htmlUpTo(limits.mediaTextCharacters)),
  language,
  position: z.int().min(1).max(limits.memosPerEdition).describe('Place in the edition, from 1'),
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
  ...memoText.shape,
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

/** The delivery of a memo that was added to an edition. */
export const memoDelivery = z
  .enum(['planned', 'planned-with-edition', 'too-late', 'none'])
  .describe(
    'planned: it is sent with its edition. planned-with-edition: its edition is scheduled, and both are sent once it is published. too-late: the edition is being sent or was, so this memo is not. none: nothing is sent of its edition, as things are',
  )
export type MemoDelivery = z.infer<typeof memoDelivery>

/** A memo in a list as people write it, without its HTML. */
export const foundMemo = deskMemo.omit({ memo_content: true, media_text: true }).extend({
  editionStatus,
  editionWithdrawn: z.boolean().optional().describe('Whether readers had its edition before'),
  ...workingCopy.pick({ isPublic: true, changed: true }).shape,
  excerpt: z.string().describe('Plain text: the words around the first that was found, or the beginning'),
})
export type FoundMemo = z.infer<typeof foundMemo>

/** Query of `GET /desk/v1/memos`. */
const memoQuery = listQuery.extend({
  status: findStatus.optional().describe("Its edition's"),
  ...findDays,
  q: findText.optional(),
  person: findPerson.optional().describe('Only memos that this person saved last'),
  after: afterDay,
})
export type MemoQuery = z.infer<typeof memoQuery>

const editionParams = z.object({ key: z.string().describe('MM-DD-YY-slot') })

const changedMemo = describedError(
  'It has changed since it was read: `current` has the memo. Or readers would get it without title or text',
)

const memoParams = z.object({ id: z.uuid("must be a memo's id").describe("A memo's id") })

export const findMemos = deskEndpoint(routes.findMemos, {
  tag: 'Desk: editions and memos',
  summary: 'Finds memos of editions of every status, newest day first',
  description:
    'Searches titles, texts, sources, captions and alt texts, also those that readers of a published edition don’t have. Each memo is listed once, as people write it: `isPublic` and `changed` say what readers have. The list has no texts: read the working copy of a memo for them.',
  scope: 'read',
  query: memoQuery,
  reply: pageOf(foundMemo),
})

export const addMemo = deskEndpoint(routes.addMemo, {
  tag: 'Desk: editions and memos',
  summary: 'Adds a memo',
  scope: ['write', 'publish'],
  description:
    'A key adds it to a published edition for readers at once, as NEW_MEMO; a person, and `private: true`, adds it as a working copy. `delivery` says whether members get it: not once sending has begun. In a scheduled edition, it is sent with it.',
  params: editionParams,
  body: memoDraft,
  reply: dataWithRemoved(deskMemo).extend({ delivery: memoDelivery }),
  statuses: [201],
  errors: {
    409: describedError('The edition is full, or readers would get a memo without title or text'),
  },
})

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
    errors: { 409: changedMemo },
  },
)

export const deleteMemo = deskEndpoint(routes.deleteMemo, {
  tag: 'Desk: editions and memos',
  summary: 'Deletes a memo',
  scope: ['write', 'publish'],
  description: 'For 30 days, `POST /desk/v1/deleted-memos/{id}/restore` brings it back, with its likes.',
  params: memoParams,
  ifMatch: 'required',
  reply: dataOf(z.object({ id: z.string() })),
})
