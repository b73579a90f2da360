import { z } from 'zod'
import { limits } from '../limits.ts'
import { caption, changeOf, group, html, htmlUpTo, language, mediaFile, title } from './fields.ts'

const articleKeys = {
  title,
  memo_content: html.min(1).describe(htmlUpTo(limits.articleContentCharacters)),
  media: mediaFile,
  media_title: caption,
  language,
  group,
  status: z.enum(['draft', 'published']),
}

/** A new gated article. Its HTML is cleaned. */
export const articleDraft = z.strictObject({
  ...articleKeys,
  media: mediaFile.default(''),
  media_title: caption.default(''),
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
  language: z.string(),
  group: z.string().nullable().describe('Key of the content group whose members may read it'),
  status: z.enum(['draft', 'published']),
  publishedAt: z.iso.datetime().nullable(),
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DeskArticle = z.infer<typeof deskArticle>
