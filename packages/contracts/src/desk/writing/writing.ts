import { z } from 'zod'
import { dataOf } from '../../envelope.ts'
import { describedError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { dataWithRemoved } from '../desk.ts'
import { deskEndpoint } from '../desk-endpoint.ts'
import { changeOf, note } from '../fields.ts'
import { workingCopy } from '../memo-text.ts'
import { memoKeys } from '../memos.ts'
import * as routes from '../routes.ts'

const { position: _, ...writtenKeys } = memoKeys

/** Body of a save: the fields that changed, and at least one. */
export const memoSave = changeOf(writtenKeys)
export type MemoSave = z.infer<typeof memoSave>

const savedMemo = workingCopy.extend({
  merged: z
    .array(z.string())
    .describe('The fields that others have saved since the version that this save is based on'),
})
export type SavedMemo = z.infer<typeof savedMemo>

/** Body of a publication of a working copy, which may be empty. */
export const correction = z
  .strictObject({
    note: note.optional().describe('What readers see below the memo, after “Corrected at” and the time'),
  })
  .nullish()
export type Correction = z.infer<typeof correction>

const memoParams = z.object({ id: z.uuid("must be a memo's id") })
const tag = 'Desk: writing'
const conflict = describedError(
  'Another text of the same field was saved since: `current` has the memo, `fields` names what clashes. The refused text is kept as a version',
)
const incomplete = describedError('Something is missing: `incomplete` lists the fields of each memo')

export const getWorkingCopy = deskEndpoint(routes.getWorkingCopy, {
  tag,
  summary: 'Returns a memo as people write it',
  description: 'In a draft or a scheduled edition this is the memo itself.',
  scope: 'read',
  params: memoParams,
  reply: dataOf(workingCopy),
})

export const saveWorkingCopy = deskEndpoint(routes.saveWorkingCopy, {
  tag,
  summary: 'Saves what was written in a memo',
  description:
    'Send the fields that changed, with the version that they are based on in If-Match. Readers of a published edition see nothing of it until the working copy is published; in drafts and scheduled editions the memo itself changes. Fields that others saved since are kept; only another text of the same field is a conflict. A save that changes nothing is not recorded. Repeat a save whose reply was lost with its Idempotency-Key, for 10 minutes.',
  scope: 'write',
  params: memoParams,
  body: memoSave,
  ifMatch: 'required',
  reply: dataWithRemoved(savedMemo),
  errors: { 409: conflict },
})

export const publishWorkingCopy = deskEndpoint(routes.publishWorkingCopy, {
  tag,
  summary: 'Makes the changes of a memo public',
  description:
    'Readers, emails that are still to be sent, PDFs and the search get them at once. A memo that was not public yet joins its edition.',
  scope: 'publish',
  params: memoParams,
  body: correction,
  ifMatch: 'required',
  reply: dataOf(workingCopy),
  errors: { 409: incomplete },
})

export const discardWorkingCopy = deskEndpoint(routes.discardWorkingCopy, {
  tag,
  summary: 'Drops the changes of a memo that readers don’t have',
  description: 'They stay among its versions. A memo that was never public is deleted, which can be undone.',
  scope: 'write',
  params: memoParams,
  ifMatch: 'required',
  reply: dataOf(z.object({ id: z.string() })),
})

const editionParams = z.object({ key: z.string().describe('MM-DD-YY-slot') })

/** The order of an edition: the ids of all its memos, also of those that readers don't have. */
const editionOrder = z.object({ version: z.int(), ids: z.array(z.string()) })

export const putOrder = deskEndpoint(routes.putOrder, {
  tag,
  summary: 'Sets the order of the memos of an edition',
  description:
    'Names every memo once, also those that readers don’t have. If-Match has the `orderVersion` that was read: typing doesn’t change it.',
  scope: 'write',
  params: editionParams,
  body: z.strictObject({
    ids: z.array(z.uuid()).max(limits.memosPerEdition).describe('All memos, in their new order'),
  }),
  ifMatch: 'required',
  reply: dataOf(editionOrder),
  errors: {
    409: describedError('The order or the memos have changed since: `current` has the ids in order'),
  },
})

export const moveMemo = deskEndpoint(routes.moveMemo, {
  tag,
  summary: 'Moves a memo to another edition',
  description:
    'One that readers don’t have: of a draft, of a scheduled edition, or private in a published one. In a published edition it is private until its working copy is published.',
  scope: 'write',
  params: memoParams,
  body: z.strictObject({
    edition: z.string().describe('Edition key'),
    position: memoKeys.position.optional().describe('Place from 1; without it, the end'),
  }),
  ifMatch: 'required',
  reply: dataOf(workingCopy),
  errors: {
    409: describedError(
      'Readers have the memo, or its version or the other edition’s room is not as it was read',
    ),
  },
})

export const deleteEdition = deskEndpoint(
  { method: 'DELETE', path: '/desk/v1/editions/:key' },
  {
    tag: 'Desk: editions and memos',
    summary: 'Deletes an edition that was never published',
    description: 'Its memos can be brought back for 30 days.',
    scope: 'write',
    params: editionParams,
    ifMatch: 'required',
    reply: dataOf(z.object({ key: z.string() })),
  },
)

export const undoWithdrawal = deskEndpoint(
  { method: 'POST', path: '/desk/v1/editions/:key/undo-withdrawal' },
  {
    tag: 'Desk: editions and memos',
    summary: 'Publishes a withdrawn edition again, as it was',
    description: 'With its time of then. What was sent is not sent again.',
    scope: 'publish',
    params: editionParams,
    reply: dataOf(z.object({ key: z.string(), status: z.string(), version: z.int() })),
    errors: { 409: describedError('It was not withdrawn') },
  },
)
