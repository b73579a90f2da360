import { z } from 'zod'
import { dataOf, pageOf } from '../envelope.ts'
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
  group,
  html,
  htmlUpTo,
  language,
  mediaFile,
  title,
} from './fields.ts'
import { findDays, findText } from './find.ts'
import * as routes from './routes.ts'

/** The fields of an article that editors set. */
export const articleKeys = {
  title,
  memo_content: html.describe(htmlUpTo(limits.articleContentCharacters)),
  media: mediaFile,
  media_title: caption,
  media_alt: altText,
  media_focus: focus,
  language,
  group,
  status: z.enum(['draft', 'published']),
}

/** A new gated article, which may lack any field while it is a draft. Its HTML is cleaned. */
export const articleDraft = z.strictObject({
  ...articleKeys,
  title: title.default(''),
  memo_content: articleKeys.memo_content.default(''),
  media: mediaFile.default(''),
  media_title: caption.default(''),
  media_alt: altText.default(null),
  media_focus: focus.default(centerFocus),
  language: language.default(''),
  group: group.default(null),
  status: articleKeys.status.default('draft'),
})
export type ArticleDraft = z.infer<typeof articleDraft>

export const articleChange = changeOf(articleKeys)
export type ArticleChange = z.infer<typeof articleChange>

export const deskArticle = z.object({
  id: z.string(),
  title: z.string(),
  memo_content: z.string(),
  media: z.string(),
  media_title: z.string(),
  media_alt: altText,
  media_focus: focus,
  language: z.string(),
  group: z.string().nullable().describe('Key of the content group whose members may read it'),
  status: z.enum(['draft', 'published']),
  publishedAt: z.iso.datetime().nullable(),
  version: z.number().int(),
  savedBy: z.string().describe('The name of the person or key that saved it last; empty if unknown'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DeskArticle = z.infer<typeof deskArticle>

/** An article in a list, without its text. */
export const deskArticleSummary = deskArticle.omit({ memo_content: true }).extend({
  hasChanges: z.boolean().describe('Whether its working copy has changes that readers don’t have'),
  savedBy: deskArticle.shape.savedBy.describe(
    'The name of the person or key that saved it or its working copy last; empty if unknown',
  ),
})
export type DeskArticleSummary = z.infer<typeof deskArticleSummary>

/** Query of `GET /desk/v1/articles`. */
const articleQuery = idPage.extend({
  status: articleKeys.status.optional(),
  from: findDays.from.describe('The first day on which it was created, in the time zone of the site'),
  to: findDays.to.describe('The last such day'),
  person: z.uuid("must be a person's id").optional().describe('Who saved it or its working copy last'),
  q: findText
    .optional()
    .describe(
      'Words that must all occur, in any field and any part of a word; drafts and working copies are searched too',
    ),
})
export type ArticleQuery = z.infer<typeof articleQuery>

const params = z.object({ id: z.uuid("must be an article's id") })

export const listDeskArticles = deskEndpoint(routes.listDeskArticles, {
  tag: 'Desk: gated articles',
  summary: 'Lists gated articles without their texts, newest first, drafts included',
  scope: 'read',
  query: articleQuery,
  reply: pageOf(deskArticleSummary),
})

export const createArticle = deskEndpoint(routes.createArticle, {
  tag: 'Desk: gated articles',
  summary: 'Creates a gated article',
  scope: ['write', 'publish'],
  body: articleDraft,
  reply: dataWithRemoved(deskArticle),
  statuses: [201],
})

export const getArticle = deskEndpoint(routes.getArticle, {
  tag: 'Desk: gated articles',
  summary: 'Returns a gated article',
  scope: 'read',
  params,
  reply: dataOf(deskArticle),
})

export const changeArticle = deskEndpoint(routes.changeArticle, {
  tag: 'Desk: gated articles',
  summary: 'Changes a gated article',
  scope: ['write', 'publish'],
  description:
    'Readers of a published article get it at once, without the changes of its working copy. An article that becomes a draft takes its working copy in. A change of nothing keeps the version.',
  params,
  body: articleChange,
  ifMatch: 'required',
  reply: dataWithRemoved(deskArticle),
})

export const publishArticle = deskEndpoint(routes.publishArticle, {
  tag: 'Desk: gated articles',
  summary: 'Publishes a gated article now',
  scope: 'publish',
  params,
  reply: dataOf(deskArticle),
  errors: { 409: describedError('Something is missing: `incomplete` lists its fields') },
})

export const deleteArticle = deskEndpoint(routes.deleteArticle, {
  tag: 'Desk: gated articles',
  summary: 'Deletes a gated article',
  scope: ['write', 'publish'],
  description: 'The audit log keeps its text, and its versions stay.',
  params,
  ifMatch: 'required',
  reply: dataOf(z.object({ id: z.string() })),
})
