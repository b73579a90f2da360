import { limits } from '@tidings/contracts/limits'
import { z } from 'zod'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db, Sql } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'
import { marks } from './marked.ts'
import { beginningCharacters, type FoundRow, foundRowSchema } from './search.mapper.ts'
import type { SearchPosition } from './search-cursor.ts'

/** The words and the days of a search. */
export type Search = {
  typed: string
  /** The first and the last day, ISO 8601 or infinite. */
  days: { from: string; to: string }
  /** The content groups whose articles are searched beside those without one; null for no articles at all. */
  groupIds: readonly string[] | null
  timeZone: string
}

const selections = `StartSel="${marks.start}",StopSel="${marks.stop}"`
const titleOptions = `${selections},HighlightAll=true`
// One fragment, with words on both sides of what matches.
const textOptions = `${selections},MaxFragments=1,MaxWords=30,MinWords=16`
// Of the text, the caption, nothing and the title.
const weightsOfText = '{1,0,0,0}'
// As in the function `similar_memo_titles`.
const minSimilarity = 0.35

/** Lists a page of matches, best first. Only the newest matches are ranked. */
export async function listMatches(
  sql: Sql,
  search: Search,
  after: SearchPosition | null,
): Promise<FoundRow[]> {
  const { typed, days, groupIds } = search
  const isMember = groupIds !== null
  const rest = after === null ? Prisma.empty : sqlAfter(after)
  return await queryRows(sql, foundRowSchema)`
    WITH RECURSIVE used AS (
      (SELECT config FROM memo_search ORDER BY config LIMIT 1)
      UNION ALL
      SELECT (SELECT m.config FROM memo_search m WHERE m.config > used.config ORDER BY m.config LIMIT 1)
      FROM used WHERE used.config IS NOT NULL
    ),
    asked AS MATERIALIZED (
      SELECT config, search_query(config, ${typed}) AS query,
        tsvector_to_array(search_words(config, search_tokens(${typed}))) AS stems
      -- An array, because Postgres expects fewer rows of it and so doesn't compile the query (JIT).
      FROM unnest(ARRAY(
        SELECT config FROM used WHERE config IS NOT NULL ${isMember ? sqlArticleConfigs : Prisma.empty}
      )) config
    ),
    candidate AS MATERIALIZED (
      SELECT 'memo' AS kind, found.memo_id AS id, found.publish_at AS at, found.words, asked.*
      FROM asked CROSS JOIN LATERAL (
        SELECT memo_id, publish_at, words FROM memo_search
        WHERE words @@ asked.query AND config = asked.config
          AND date BETWEEN ${days.from}::date AND ${days.to}::date
        OFFSET 0
      ) found
      ${isMember ? sqlArticleMatches(search) : Prisma.empty}
      ORDER BY at DESC, id DESC LIMIT ${limits.searchMatches}
    ),
    ranked AS (
      SELECT kind, id, at, config, query, stems, words, ts_rank(words, query)::float8 AS rank FROM candidate
    ),
    page AS MATERIALIZED (
      SELECT *, count(*) OVER () > ${limits.searchResultsPerPage} AS "hasMore" FROM ranked ${rest}
      ORDER BY rank DESC, at DESC, id DESC LIMIT ${limits.searchResultsPerPage}
    )
    ${sqlFound(search)}`
}

/** Lists the titles with words like the typed ones, most similar first, despite typing errors. */
export async function listSimilarTitles(sql: Sql, search: Search): Promise<FoundRow[]> {
  const { typed, days, groupIds } = search
  const max = limits.searchResultsPerPage
  return await queryRows(sql, foundRowSchema)`
    WITH page AS MATERIALIZED (
      SELECT 'memo' AS kind, memo_id AS id, publish_at AS at, config, ''::tsquery AS query, '{}'::text[] AS stems, words,
        similarity::float8 AS rank, false AS "hasMore"
      FROM similar_memo_titles(${typed}, ${days.from}::date, ${days.to}::date, ${max}) JOIN memo_search USING (memo_id)
      ${groupIds === null ? Prisma.empty : sqlSimilarArticles(search)}
      ORDER BY rank DESC, at DESC, id DESC LIMIT ${max}
    )
    ${sqlFound(search)}`
}

const separatesRowSchema = z.object({ separates: z.boolean() })

/** Returns whether the parser of words knows that a typographic sign is no letter. */
export async function separatesWords(sql: Sql): Promise<boolean> {
  const [row] = await queryRows(sql, separatesRowSchema)`
    SELECT to_tsvector('simple', 'dam…burst') @@ 'burst' AS separates`
  return row?.separates === true
}

/**
 * Stores the site's language, and the LC_CTYPE of the database, which decides what a word is. Returns whether one of them
 * was another one.
 */
export async function updateSiteLanguage(sql: Sql, language: string): Promise<boolean> {
  const changed = await queryRows(sql, z.object({ language: z.string() }))`
    UPDATE search_site SET language = ${language}, ctype = search_ctype()
    WHERE (language, ctype) IS DISTINCT FROM (${language}, search_ctype())
    RETURNING language`
  return changed.length > 0
}

const indexedSchema = z.object({ count: z.int(), last: z.string().nullable() })

/** A batch that was indexed again: how many were published, and its last id. */
export type Indexed = z.infer<typeof indexedSchema>

/** Indexes the next memos after an id again. Locks their editions, as an editor's change does. */
export async function reindexMemos(db: Db, after: string, max: number): Promise<Indexed | undefined> {
  const [row] = await queryRows(db, indexedSchema)`
    WITH batch AS MATERIALIZED (
      SELECT id, edition_id FROM memo WHERE id > ${after}::uuid ORDER BY id LIMIT ${max}
    ),
    published AS MATERIALIZED (
      SELECT id FROM edition WHERE status = 'published' AND id IN (SELECT edition_id FROM batch) ORDER BY id FOR SHARE
    )
    SELECT count, (SELECT id::text FROM batch ORDER BY id DESC LIMIT 1) AS last,
      index_memos(ARRAY(SELECT id FROM batch))::text
    FROM (SELECT count(*)::int FROM batch JOIN published ON published.id = edition_id OFFSET 0) locked`
  return row
}

/** Indexes the next articles after an id again. */
export async function reindexArticles(db: Db, after: string, max: number): Promise<Indexed | undefined> {
  const [row] = await queryRows(db, indexedSchema)`
    WITH batch AS MATERIALIZED (
      SELECT id FROM article WHERE status = 'published' AND id > ${after}::uuid ORDER BY id LIMIT ${max} FOR SHARE
    )
    SELECT count, (SELECT id::text FROM batch ORDER BY id DESC LIMIT 1) AS last,
      index_articles(ARRAY(SELECT id FROM batch))::text
    FROM (SELECT count(*)::int FROM batch OFFSET 0) locked`
  return row
}

function sqlAfter({ rank, at, id }: SearchPosition): Prisma.Sql {
  return Prisma.sql`WHERE (rank, at, id) < (${rank}::float8, ${at}::timestamptz, ${id}::uuid)`
}

const sqlArticleConfigs = Prisma.sql`UNION SELECT DISTINCT config FROM article_search`

function sqlArticleMatches(search: Search): Prisma.Sql {
  return Prisma.sql`
    UNION ALL
    SELECT 'article', article.id, article.published_at, words, asked.*
    FROM asked
    JOIN article_search USING (config)
    JOIN article ON article.id = article_id
    WHERE words @@ asked.query AND ${sqlOpen(search)}`
}

function sqlSimilarArticles(search: Search): Prisma.Sql {
  return Prisma.sql`
    UNION ALL
    SELECT 'article', article.id, article.published_at, config, ''::tsquery, '{}', words,
      word_similarity(letters, title_letters)::float8, false
    FROM (SELECT search_letters(${search.typed}) AS letters OFFSET 0) asked, article_search
    JOIN article ON article.id = article_id
    WHERE word_similarity(letters, title_letters) >= ${minSimilarity} AND ${sqlOpen(search)}`
}

/** Selects the articles of the searched days and groups. */
function sqlOpen({ days, groupIds, timeZone }: Search): Prisma.Sql {
  return Prisma.sql`article.status = 'published'
    AND (article.published_at AT TIME ZONE ${timeZone})::date BETWEEN ${days.from}::date AND ${days.to}::date
    AND (article.group_id IS NULL OR article.group_id = ANY (${[...(groupIds ?? [])]}::text[]))`
}

/** Selects the texts of the CTE `page`, in its order. */
function sqlFound({ groupIds, timeZone }: Search): Prisma.Sql {
  const articles = Prisma.sql`
    UNION ALL
    SELECT page.kind, article.id::text, page.rank, page.at, page."hasMore", article.language, article.title,
      to_char(article.published_at AT TIME ZONE ${timeZone}, 'MM-DD-YY'), NULL, ${sqlMarked(Prisma.sql`article`)}
    FROM page JOIN article ON article.id = page.id AND page.kind = 'article' AND article.status = 'published'
    ${sqlTexts(Prisma.sql`article`)}`
  return Prisma.sql`
    SELECT page.kind, memo.id::text, page.rank, page.at, page."hasMore", memo.language, memo.title,
      to_char(edition.date, 'MM-DD-YY') AS date, edition.slot, ${sqlMarked(Prisma.sql`memo`)}
    FROM page
    JOIN memo ON memo.id = page.id AND page.kind = 'memo'
    JOIN edition ON edition.id = memo.edition_id AND edition.status = 'published'
    ${sqlTexts(Prisma.sql`memo`)}
    ${groupIds === null ? Prisma.empty : articles}
    ORDER BY rank DESC, at DESC, id DESC`
}

/** Selects the title and an excerpt of the text, marked. Marking takes time in proportion to the text. */
function sqlMarked(table: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    title_tokens AS "titleTokens", search_marked(config, title_tokens, query, stems, ${titleOptions}) AS "markedTitle",
    excerpt, excerpt_tokens AS "excerptTokens",
    search_marked(config, excerpt_tokens, query, stems, ${textOptions}) AS "markedExcerpt",
    search_html(regexp_replace(left(${table}.content, ${beginningCharacters}), '<[^<>]*$', '')) AS beginning,
    length(${table}.content) <= ${beginningCharacters} AS "isShort"`
}

function sqlTexts(table: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    CROSS JOIN LATERAL (SELECT
      search_excerpt(${table}.content, ts_rank(${weightsOfText}::real[], words, query) > 0, stems) AS excerpt OFFSET 0
    ) excerpt
    CROSS JOIN LATERAL (SELECT
      search_tokens(${table}.title) AS title_tokens, search_tokens(excerpt) AS excerpt_tokens OFFSET 0
    ) tokens`
}
