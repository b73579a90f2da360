import { z } from 'zod'
import { dataOf, listQuery, pageOf } from '../../envelope.ts'
import { deskEndpoint } from '../desk-endpoint.ts'
import { afterInstant, findDays, findPerson, findText } from '../find.ts'
import { memoText, workingCopy } from '../memo-text.ts'
import * as routes from '../routes.ts'
import { textVersionSummary, versionTerms } from './version-terms.ts'

export const textVersion = textVersionSummary.extend({ fields: memoText })
export type TextVersion = z.infer<typeof textVersion>

const tag = 'Desk: writing'
const memoParams = z.object({ id: z.uuid("must be a memo's id") })

const versions = versionTerms({
  text: 'memo',
  params: memoParams,
  readers: 'a published edition',
  version: textVersion,
  copy: workingCopy,
})
export const listMemoVersions = deskEndpoint(routes.listMemoVersions, versions.list)
export const getMemoVersion = deskEndpoint(routes.getMemoVersion, versions.read)
export const compareMemoVersions = deskEndpoint(routes.compareMemoVersions, versions.compare)
export const restoreMemoVersion = deskEndpoint(routes.restoreMemoVersion, versions.restore)

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
