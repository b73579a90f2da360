import * as z from 'zod/mini'
import { memoSchema } from './editions.ts'
import { endpoint } from './endpoint.ts'
import { errorReply } from './errors.ts'
import * as routes from './routes.ts'

/** A gated article in the list. */
const gatedArticleSummary = z.object({
  _id: z.string(),
  title: z.string(),
  language: z.optional(z.string().check(z.describe('BCP 47; only when the editor set one'))),
})

/** A gated article with its content. */
export const gatedArticle = z.object({
  _id: z.string(),
  title: z.string(),
  media: z.string(),
  media_title: z.string(),
  media_alt: memoSchema.shape.media_alt,
  media_focus: memoSchema.shape.media_focus,
  memo_content: z.string().check(z.describe('HTML')),
  language: z.optional(z.string().check(z.describe('BCP 47; only when the editor set one'))),
})
export type GatedArticle = z.infer<typeof gatedArticle>

/** Replies of `GET /edition/prod/get_gated_list[/{gatedID}]`. */
export const gatedListReply = z.object({ data: z.array(gatedArticleSummary) })
export const gatedArticleReply = z.object({ data: gatedArticle })

/** 403 of `GET /edition/prod/get_gated_list/{gatedID}`. */
export const gatedArticleRefusal = z.object({
  error: z.object({
    ...errorReply.shape.error.shape,
    plans: z.optional(
      z
        .array(z.string())
        .check(z.describe('With `access-denied`: the ids of the plans that open the article')),
    ),
  }),
})

export const listGatedArticles = endpoint(routes.listGatedArticles, {
  access: ['gate', 'member'],
  tag: 'Gated articles',
  summary: 'Titles of the gated articles, newest first',
  reply: gatedListReply,
})

export const getGatedArticle = endpoint(routes.getGatedArticle, {
  access: ['gate', 'member'],
  tag: 'Gated articles',
  summary: 'One gated article',
  description: 'One with a content group is open to the members whose plans its group asks for.',
  params: z.object({ gatedID: z.uuid("must be an article's _id") }),
  reply: gatedArticleReply,
  errors: { 403: gatedArticleRefusal },
})
