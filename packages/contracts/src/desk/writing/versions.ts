import { z } from 'zod'
import { dataOf, listQuery, pageOf } from '../../envelope.ts'
import { deskEndpoint, idPage } from '../desk-endpoint.ts'
import { afterInstant, findDays, findPerson, findText } from '../find.ts'
import { memoText, workingCopy } from '../memo-text.ts'
import * as routes from '../routes.ts'

/** A version of a memo or article without its text. */
export const textVersionSummary = z.object({
  id: z.string(),
  kind: z
    .enum(['first', 'session', 'published', 'refused', 'deleted'])
    .describe(
      'first: the text before its first version. session: the end of a typing session. published: what readers got. refused: a text that clashed with another one. deleted: the text of a deleted memo or article',
    ),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  savedBy: z.string().describe('The name of the person or key; empty if unknown'),
})
export type TextVersionSummary = z.infer<typeof textVersionSummary>

export const textVersion = textVersionSummary.extend({ fields: memoText })
export type TextVersion = z.infer<typeof textVersion>

/** The words of a field in two texts: those of both, those only of the earlier one and those only of the later one. */
const words = z.array(z.object({ kind: z.enum(['same', 'removed', 'added']), text: z.string() }))

export const textComparison = z.object({
  fields: z.array(
    z
      .object({ field: z.string(), before: z.unknown(), after: z.unknown(), words })
      .describe('A field that differs'),
  ),
})
export type TextComparison = z.infer<typeof textComparison>

/** Returns the query of a comparison with a later version. */
export function laterVersion(text: 'the memo' | 'the article') {
  return z.strictObject({
    with: z
      .uuid("must be a version's id")
      .optional()
      .describe(`The later version; without it, ${text} as it is written now`),
  })
}

const tag = 'Desk: writing'
const memoParams = z.object({ id: z.uuid("must be a memo's id") })
const versionParams = memoParams.extend({ version: z.uuid("must be a version's id") })

export const listMemoVersions = deskEndpoint(
  { method: 'GET', path: '/desk/v1/memos/:id/versions' },
  {
    tag,
    summary: 'Lists the versions of a memo, newest first',
    description: 'Also of a deleted one.',
    scope: 'read',
    params: memoParams,
    query: idPage,
    reply: pageOf(textVersionSummary),
  },
)

export const getMemoVersion = deskEndpoint(
  { method: 'GET', path: '/desk/v1/memos/:id/versions/:version' },
  {
    tag,
    summary: 'Returns a version of a memo',
    scope: 'read',
    params: versionParams,
    reply: dataOf(textVersion),
  },
)

export const compareMemoVersions = deskEndpoint(
  { method: 'GET', path: '/desk/v1/memos/:id/versions/:version/comparison' },
  {
    tag,
    summary: 'Compares a version of a memo with another one, by fields and words',
    scope: 'read',
    params: versionParams,
    query: laterVersion('the memo'),
    reply: dataOf(textComparison),
  },
)

export const restoreMemoVersion = deskEndpoint(
  { method: 'POST', path: '/desk/v1/memos/:id/versions/:version/restore' },
  {
    tag,
    summary: 'Restores a version of a memo',
    description:
      'As a save does: readers of a published edition see nothing of it until the working copy is published.',
    scope: 'write',
    params: versionParams,
    ifMatch: 'required',
    reply: dataOf(workingCopy),
  },
)

export const deletedMemo = memoText.extend({
  id: z.string(),
  edition: z.string().describe('Edition key'),
  deletedAt: z.iso.datetime(),
  deletedBy: z.string(),
})
export type DeletedMemo = z.infer<typeof deletedMemo>

const deletedMemoQuery = listQuery.extend({
  from: findDays.from.describe("The first day of the memo's edition"),
  to: findDays.to,
  q: findText.optional(),
  person: findPerson.optional().describe('Only memos that this person deleted'),
  after: afterInstant,
})
export type DeletedMemoQuery = z.infer<typeof deletedMemoQuery>

export const listDeletedMemos = deskEndpoint(routes.listDeletedMemos, {
  tag,
  summary: 'Lists the memos that were deleted in the last 30 days, newest first',
  scope: 'read',
  query: deletedMemoQuery,
  reply: pageOf(deletedMemo),
})

export const restoreDeletedMemo = deskEndpoint(routes.restoreDeletedMemo, {
  tag,
  summary: 'Brings a deleted memo back to its edition and place, with its likes',
  params: memoParams,
  scope: 'write',
  reply: dataOf(
    z.object({
      id: z.string(),
      edition: z.string().describe('Edition key'),
      isPublic: z.boolean().describe('Whether readers have it again'),
      version: z.int(),
    }),
  ),
})
