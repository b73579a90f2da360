import type { ArticleText, ArticleWorkingCopy } from '@tidings/contracts/desk/writing/article-writing'
import { type ArticleRow, getArticle, lockArticle, toArticleText } from '#features/articles/index.ts'
import type { Db } from '#platform/database.ts'
import { fieldVersionsOf } from '#platform/text/field-versions.ts'
import { changedFields, pick, type TextState, writtenText } from '../writing/text-saves.ts'
import { type ArticleCopy, findArticleCopy } from '../writing/working-copies.repository.ts'

/** An article as people write it. Without `copy`, a published one is as readers have it. */
export type ArticleState = TextState<ArticleText> & { article: ArticleRow }

/** Reads an article with its working copy. Throws `article-not-found`. */
export async function readArticleState(db: Db, id: string): Promise<ArticleState> {
  return await stateOf(db, await getArticle(db, id))
}

/** Locks an article and reads it with its working copy. Throws `article-not-found`. */
export async function lockArticleState(tx: Db, id: string): Promise<ArticleState> {
  return await stateOf(tx, await lockArticle(tx, id))
}

async function stateOf(db: Db, article: ArticleRow): Promise<ArticleState> {
  const copy = await findArticleCopy(db, article.id)
  return {
    id: article.id,
    article,
    copy,
    text: writtenText(toArticleText(article), copy),
    fieldVersions: { ...fieldVersionsOf(article.fieldVersions), ...copy?.changed },
    // A script may have changed another field since the working copy began.
    version: Math.max(copy?.version ?? 0, article.version),
  }
}

/** Maps an article to the working copy of the API. */
export function toWorkingCopy({ id, article, copy, text, version }: ArticleState): ArticleWorkingCopy {
  const last = copy?.version === version ? copy : article
  return {
    ...text,
    id,
    isPublic: article.status === 'published',
    changed: copy === null ? [] : Object.keys(copy.changed),
    version,
    savedBy: last.savedBy,
    savedAt: last.updatedAt.toISOString(),
  }
}

/** Returns the fields of a working copy that readers of the article don't have in a newer state. */
export function unpublishedFields(article: ArticleRow, copy: ArticleCopy): Partial<ArticleText> {
  const versions = fieldVersionsOf(article.fieldVersions)
  const names = Object.keys(copy.changed).filter((name) => (versions[name] ?? 1) <= copy.baseVersion)
  return pick(changedFields(copy), names)
}
