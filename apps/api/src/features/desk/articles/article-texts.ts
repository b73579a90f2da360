import type { ArticleSave, ArticleText } from '@tidings/contracts/desk/writing/article-writing'
import {
  type ArticleContent,
  type ArticleRow,
  parseArticleText,
  toArticleText,
  updateArticle,
} from '#features/articles/index.ts'
import { articlePicturesCacheKey } from '#features/media/index.ts'
import { missingFields } from '#features/memos/index.ts'
import { holdGroup, requireGroup } from '#features/secure-content/index.ts'
import type { Db } from '#platform/database.ts'
import type { Step } from '#platform/text/field-versions.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { announce, toActor } from '../events/announce.ts'
import type { Editor } from '../requests/editor.ts'
import { differingFields } from '../writing/compare-texts.ts'
import { addVersion, recordSession } from '../writing/text-versions.repository.ts'

export type ArticleTextDeps = Pick<DeskDeps, 'media' | 'siteLanguage' | 'clock' | 'invalidation'> & {
  /** The app whose content groups the articles belong to. */
  siteAppId: string
}

/** Written fields compared with an article: its text as stored, the names of the fields that differ, and the columns. */
type Comparison = {
  text: ArticleText
  fields: string[]
  columns: Partial<ArticleContent>
  /** The key of the group that was written. */
  group: string | null | undefined
}

/** Stores what editors write in articles, with its versions. The caller has locked the article. */
export function createArticleTexts({ media, siteAppId, siteLanguage, clock, invalidation }: ArticleTextDeps) {
  /** Tells open desks about an article, and the caches if readers have it or had it. */
  async function tell(
    tx: Db,
    by: Editor,
    { id, version }: { id: string; version: number | null },
    isPublic: boolean,
  ): Promise<void> {
    if (isPublic) await invalidation.invalidate(tx, { at: [articlePicturesCacheKey] })
    await announce(tx, { type: 'article', article: id, version, by: toActor(by) })
  }

  return {
    tell,

    /** Compares written fields with a text. HTML is cleaned first. */
    compare(before: ArticleText, given: ArticleSave): Comparison {
      const { columns, text } = parseArticleText(given, (given.language ?? before.language) || siteLanguage)
      const after = { ...before, ...text }
      return { text: after, fields: differingFields(before, after), columns, group: given.group }
    },

    /** Returns the columns of written fields. Throws `invalid-request` for a picture or a group that isn't there. */
    async columnsOf(
      tx: Db,
      { columns, group }: Pick<Comparison, 'columns' | 'group'>,
    ): Promise<Partial<ArticleContent>> {
      await media.require(tx, columns.mediaFile)
      return group === undefined ? columns : { ...columns, groupId: await requireGroup(tx, siteAppId, group) }
    },

    /** Leaves out a group that was removed since a text was written. */
    async withKnownGroup(db: Db, { group, ...others }: Partial<ArticleText>): Promise<ArticleSave> {
      if (group === undefined) return others
      const isKnown = group === null || (await holdGroup(db, siteAppId, group)) !== null
      return isKnown ? { ...others, group } : others
    },

    /** Stores a change of an article itself. */
    async change(
      tx: Db,
      by: Editor,
      article: ArticleRow,
      columns: Partial<ArticleContent>,
      stamp: Omit<Step, 'by'>,
    ): Promise<ArticleRow> {
      const stored = await updateArticle(tx, article, columns, { ...stamp, by })
      await tell(tx, by, stored, [article, stored].some(isPublished))
      return stored
    },

    /** Records a stored article among the versions: what readers got, or what was typed in a draft. */
    async record(tx: Db, by: Editor, article: ArticleRow, earlier: ArticleRow | null): Promise<void> {
      const version = { textId: article.id, by, now: clock.now() }
      const after = toArticleText(article)
      const before = earlier === null ? null : toArticleText(earlier)
      if (isPublished(article)) await addVersion(tx, { ...version, kind: 'published', fields: after })
      else if (before === null || differingFields(before, after).length > 0)
        await recordSession(tx, { ...version, before, after })
    },
  }
}

/** Returns whether readers have an article. */
export function isPublished({ status }: Pick<ArticleRow, 'status'>): boolean {
  return status === 'published'
}

/** Throws `incomplete` if readers of the article would miss something. `id` is null before it is stored. */
export function requireText(text: ArticleText, id: string | null): void {
  const fields = missingFields(text)
  if (fields.length > 0) throw fail('incomplete', [{ id, place: null, fields }])
}
