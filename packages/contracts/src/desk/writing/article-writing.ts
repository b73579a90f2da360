import { z } from 'zod'
import { dataOf } from '../../envelope.ts'
import { describedError } from '../../errors.ts'
import { articleKeys } from '../articles.ts'
import { dataWithRemoved } from '../desk.ts'
import { deskEndpoint } from '../desk-endpoint.ts'
import { changeOf } from '../fields.ts'
import { memoText } from '../memo-text.ts'
import * as routes from '../routes.ts'
import { textVersionSummary, versionTerms } from './version-terms.ts'

const { status: _, ...writtenKeys } = articleKeys

/** The fields of an article that people write, as they are stored. */
export const articleText = memoText
  .omit({ source: true, media_text: true })
  .extend({ group: articleKeys.group })
export type ArticleText = z.infer<typeof articleText>

/** Body of a save: the fields that changed, and at least one. Its status is no such field. */
export const articleSave = changeOf(writtenKeys)
export type ArticleSave = z.infer<typeof articleSave>

/** An article as people write it: with the changes that readers don't have yet. */
export const articleWorkingCopy = articleText.extend({
  id: z.string(),
  isPublic: z.boolean().describe('Whether readers have this article, in this or an earlier state'),
  changed: z.array(z.string()).describe('The fields that readers have in an earlier state'),
  version: z.int().describe('What a save is based on'),
  savedBy: z.string().describe('The name of the person or key that saved it last; empty if unknown'),
  savedAt: z.iso.datetime(),
})
export type ArticleWorkingCopy = z.infer<typeof articleWorkingCopy>

const savedArticle = articleWorkingCopy.extend({
  merged: z
    .array(z.string())
    .describe('The fields that others have saved since the version that this save is based on'),
})

export const articleVersion = textVersionSummary.extend({ fields: articleText })

const tag = 'Desk: gated articles'
const params = z.object({ id: z.uuid("must be an article's id") })

export const getArticleCopy = deskEndpoint(routes.getArticleCopy, {
  tag,
  summary: 'Returns a gated article as people write it',
  description: 'Of a draft this is the article itself.',
  scope: 'read',
  params,
  reply: dataOf(articleWorkingCopy),
})

export const saveArticleCopy = deskEndpoint(routes.saveArticleCopy, {
  tag,
  summary: 'Saves what was written in a gated article',
  description:
    'Send the fields that changed, with the version that they are based on in If-Match. Readers of a published article see nothing of it until the working copy is published; a draft itself changes. Fields that others saved since are kept; only another text of the same field is a conflict. A save that changes nothing is not recorded. Repeat a save whose reply was lost with its Idempotency-Key, for 10 minutes.',
  scope: 'write',
  params,
  body: articleSave,
  ifMatch: 'required',
  reply: dataWithRemoved(savedArticle),
  errors: {
    409: describedError(
      'Another text of the same field was saved since: `current` has the article, `fields` names what clashes. The refused text is kept as a version',
    ),
  },
})

export const publishArticleCopy = deskEndpoint(routes.publishArticleCopy, {
  tag,
  summary: 'Makes the changes of a gated article public',
  description: 'Readers and the search get them at once.',
  scope: 'publish',
  params,
  ifMatch: 'required',
  reply: dataOf(articleWorkingCopy),
  errors: {
    409: describedError(
      'Something is missing: `incomplete` lists the fields. Or another text of the same field was published since: `fields` names it',
    ),
  },
})

export const discardArticleCopy = deskEndpoint(routes.discardArticleCopy, {
  tag,
  summary: 'Drops the changes of a gated article that readers don’t have',
  description: 'They stay among its versions.',
  scope: 'write',
  params,
  ifMatch: 'required',
  reply: dataOf(z.object({ id: z.string() })),
})

const versions = versionTerms({
  text: 'gated article',
  params,
  readers: 'a published article',
  version: articleVersion,
  copy: articleWorkingCopy,
})
export const listArticleVersions = deskEndpoint(routes.listArticleVersions, versions.list)
export const getArticleVersion = deskEndpoint(routes.getArticleVersion, versions.read)
export const compareArticleVersions = deskEndpoint(routes.compareArticleVersions, versions.compare)
export const restoreArticleVersion = deskEndpoint(routes.restoreArticleVersion, versions.restore)
