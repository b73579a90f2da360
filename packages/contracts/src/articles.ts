import { z } from 'zod'

/** A gated article in the list. */
const gatedArticleSummary = z.object({ _id: z.string(), title: z.string() })

/** A gated article with its content. */
export const gatedArticle = z.object({
  _id: z.string(),
  title: z.string(),
  media: z.string(),
  media_title: z.string(),
  memo_content: z.string().describe('HTML'),
  language: z.string().optional().describe('BCP 47; only when the editor set one'),
})
export type GatedArticle = z.infer<typeof gatedArticle>

/** Replies of `GET /edition/prod/get_gated_list[/{gatedID}]`. */
export const gatedListReply = z.object({ data: z.array(gatedArticleSummary) })
export const gatedArticleReply = z.object({ data: gatedArticle })
