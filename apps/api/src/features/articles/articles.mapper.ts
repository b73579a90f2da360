import type { GatedArticle } from '@tidings/contracts/articles'
import type {
  ArticleChange,
  ArticleDraft,
  DeskArticle,
  DeskArticleSummary,
} from '@tidings/contracts/desk/articles'
import { centerFocus } from '@tidings/contracts/desk/fields'
import type { ArticleSave, ArticleText } from '@tidings/contracts/desk/writing/article-writing'
import { limits } from '@tidings/contracts/limits'
import {
  cleanField,
  cleanUnfinished,
  type FieldTable,
  mapDefined,
  singleLine,
  visibleLine,
} from '#platform/fields.ts'
import { pictureFields, toDeskPicture, toWirePicture } from '../media/index.ts'
import type { ArticleRow } from './articles.repository.ts'
import type { FoundArticle } from './found-articles.repository.ts'

/**
 * Returns the columns that each key of a draft or change sets, for a text in a language. `group` and `status` need the
 * database and the clock.
 */
export function articleFields(textLanguage: string) {
  const maxCharacters = limits.articleContentCharacters
  return {
    title: (title) => ({ title: visibleLine('title', title) }),
    memo_content: (html) => ({
      content: cleanUnfinished(html, { field: 'memo_content', language: textLanguage, maxCharacters }),
    }),
    media: (file) => ({ mediaFile: file === '' ? null : file }),
    media_title: (title) => ({ mediaTitle: singleLine('media_title', title) }),
    ...pictureFields,
    language: (language) => ({ language }),
  } satisfies FieldTable<Omit<ArticleChange, 'group' | 'status'>>
}

/** Returns the keys that members and editors both get. */
function toSharedKeys(row: Pick<ArticleRow, 'title' | 'mediaFile' | 'mediaTitle'>) {
  return { title: row.title, media: row.mediaFile ?? '', media_title: row.mediaTitle }
}

/** Maps the keys that the list has. */
export function toWireTitle({ id, title, language }: Pick<ArticleRow, 'id' | 'title' | 'language'>) {
  return { _id: id, title, ...(language !== '' && { language }) }
}

export function toWireArticle(row: ArticleRow): GatedArticle {
  return { ...toSharedKeys(row), memo_content: row.content, ...toWirePicture(row), ...toWireTitle(row) }
}

/** Returns an article that was never saved as members would get it. Each field may be empty. */
export function toUnsavedArticle(
  { title, memo_content, media, media_title, media_alt, language }: Omit<ArticleDraft, 'group' | 'status'>,
  siteLanguage: string,
): GatedArticle {
  const maxCharacters = limits.articleContentCharacters
  const field = { field: 'memo_content', language: language || siteLanguage, maxCharacters }
  return {
    _id: 'unsaved',
    title: singleLine('title', title),
    media,
    media_title: singleLine('media_title', media_title),
    ...(media !== '' && media_alt !== null && { media_alt: singleLine('media_alt', media_alt) }),
    memo_content: cleanField(memo_content, field),
    ...(language !== '' && { language }),
  }
}

/** The columns of the fields of an {@link ArticleText}. */
type ArticleTextRow = Pick<
  ArticleRow,
  'title' | 'content' | 'mediaFile' | 'mediaTitle' | 'mediaAlt' | 'mediaFocusX' | 'mediaFocusY' | 'language'
> & { group: Pick<NonNullable<ArticleRow['group']>, 'key'> | null }

/** Returns the fields of an article that editors write. */
export function toArticleText(row: ArticleTextRow): ArticleText {
  return {
    title: row.title,
    memo_content: row.content,
    media: row.mediaFile ?? '',
    media_title: row.mediaTitle,
    ...toDeskPicture(row),
    language: row.language,
    group: row.group?.key ?? null,
  }
}

const noText: ArticleTextRow = {
  title: '',
  content: '',
  mediaFile: null,
  mediaTitle: '',
  mediaAlt: null,
  mediaFocusX: centerFocus.x,
  mediaFocusY: centerFocus.y,
  language: '',
  group: null,
}

/** The text of an article before anything is written. */
export const noArticleText: ArticleText = toArticleText(noText)

/** Parses written fields into columns, and into the fields as they are stored. The column of a group needs the database. */
export function parseArticleText({ group, ...given }: ArticleSave, textLanguage: string) {
  const columns = mapDefined<ReturnType<typeof articleFields>>(given, articleFields(textLanguage))
  const clean = Object.entries(toArticleText({ ...noText, ...columns })).filter(([name]) => name in given)
  const text: Partial<ArticleText> = { ...Object.fromEntries(clean), ...(group !== undefined && { group }) }
  return { columns, text }
}

export function toDeskArticle(row: ArticleRow): DeskArticle {
  return { ...toDeskKeys(row), memo_content: row.content }
}

/** Maps an article for a list, without its text. */
export function toDeskSummary(row: FoundArticle): DeskArticleSummary {
  const last = row.copy ?? row
  return { ...toDeskKeys(row), savedBy: last.savedBy, hasChanges: row.copy !== null }
}

function toDeskKeys(row: Omit<ArticleRow, 'content'>): Omit<DeskArticle, 'memo_content'> {
  return {
    ...toSharedKeys(row),
    ...toDeskPicture(row),
    id: row.id,
    language: row.language,
    group: row.group?.key ?? null,
    status: row.status,
    publishedAt: row.publishedAt?.toISOString() ?? null,
    version: row.version,
    savedBy: row.savedBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
