import type { ArticleText, ArticleWorkingCopy } from '@tidings/contracts/desk/writing/article-writing'
import type { Stored } from '#lib/saving/text-fields.ts'

const fieldNames = [
  'title',
  'memo_content',
  'media',
  'media_title',
  'media_alt',
  'media_focus',
  'language',
  'group',
] as const satisfies readonly (keyof ArticleText)[]

/** Returns the written fields of an article, and what a save is based on. */
export function storedArticle(copy: ArticleWorkingCopy): Stored<ArticleText> {
  const { title, memo_content, media, media_title, media_alt, media_focus, language, group } = copy
  const { version, savedBy, savedAt } = copy
  const text = { title, memo_content, media, media_title, media_alt, media_focus, language, group }
  return { text, version, savedBy, savedAt }
}

/** Returns whether a body is an article as the server returns it. */
export function isArticleCopy(value: unknown): value is ArticleWorkingCopy {
  return (
    typeof value === 'object' && value !== null && [...fieldNames, 'version'].every((name) => name in value)
  )
}
