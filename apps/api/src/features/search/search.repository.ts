import { limits } from '@tidings/contracts/limits'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db, Sql } from '#platform/database.ts'
import { beginningCharacters, type FoundRow, marks } from './search.mapper.ts'
import type { SearchPosition } from './search-cursor.ts'

/** What a requester looks for, and where. */
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
// Marking takes time in proportion to the text. So Postgres gets an excerpt around a word that begins like a typed one,
// more of the text if it matches otherwise, or its beginning.
const excerpt = { before: 150, characters: 400 }
// Read after a match to see whether it is inside a tag.
const tagCharacters = 300
const characters = 20_000
// Of the text, the caption, nothing and the title.
const weightsOfText = '{1,0,0,0}'
// As in the function `similar_memo_titles`.
const leastSimilarity = 0.35

/** Lists a page of matches, best first. Only the newest matches are ranked. */
export async function listMatches(
  sql: Sql,
  search: Search,
  after: SearchPosition | null,
): Promise<FoundRow[]> {
  const { typed, days, groupIds } = search
  const isMember = groupIds !== null
  const rest = after === null ? Prisma.empty : sqlAfter(after)
  return await sql.$queryRaw<FoundRow>`
    WITH RECURSIVE used AS (
      (SELECT config FROM memo_search ORDER BY config LIMIT 1)
      UNION ALL
      SELECT (SELECT m.config FROM memo_search m WHERE m.config > used.config ORDER BY m.config LIMIT 1)
      FROM used WHERE used.config IS NOT NULL
    ),
    asked AS MATERIALIZED (
      SELECT config, search_query(config, ${typed}) AS query,
        tsvector_to_array(to_tsvector(config::regconfig, ${typed})) AS stems
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
  const most = limits.searchResultsPerPage
  return await sql.$queryRaw<FoundRow>`
    WITH page AS MATERIALIZED (
      SELECT 'memo' AS kind, memo_id AS id, publish_at AS at, config, ''::tsquery AS query, '{}'::text[] AS stems, words,
        similarity::float8 AS rank, false AS "hasMore"
      FROM similar_memo_titles(${typed}, ${days.from}::date, ${days.to}::date, ${most}) JOIN memo_search USING (memo_id)
      ${groupIds === null ? Prisma.empty : sqlSimilarArticles(search)}
      ORDER BY rank DESC, at DESC, id DESC LIMIT ${most}
    )
    ${sqlFound(search)}`
}

/** Stores the site's language. Returns whether it was another one. */
export async function updateSiteLanguage(tx: Db, language: string): Promise<boolean> {
  const changed = await tx.searchSite.updateMany({
    where: { language: { not: language } },
    data: { language },
  })
  return changed.count > 0
}

/** Indexes some of the texts whose configuration is not that of their language. Returns whether there were any. */
export async function reindexSome(db: Db, most: number): Promise<boolean> {
  const [row] = await db.$queryRaw<{ memos: number; articles: number }[]>`
    WITH memos AS (
      SELECT array_agg(id) AS ids FROM (
        SELECT id FROM memo JOIN memo_search ON memo_id = id
        WHERE language = '' AND config <> search_config_of('') LIMIT ${most} FOR NO KEY UPDATE OF memo
      ) memo
    ),
    articles AS (
      SELECT array_agg(id) AS ids FROM (
        SELECT id FROM article JOIN article_search ON article_id = id
        WHERE language = '' AND config <> search_config_of('') LIMIT ${most} FOR NO KEY UPDATE OF article
      ) article
    )
    SELECT coalesce(cardinality(memos.ids), 0) AS memos, coalesce(cardinality(articles.ids), 0) AS articles,
      index_memos(memos.ids)::text, index_articles(articles.ids)::text
    FROM memos, articles`
  return row !== undefined && row.memos + row.articles > 0
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
    WHERE word_similarity(letters, title_letters) >= ${leastSimilarity} AND ${sqlOpen(search)}`
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
      to_char(article.published_at AT TIME ZONE ${timeZone}, 'MM-DD-YY'), NULL,
      ts_headline(config::regconfig, article.title, query, ${titleOptions}),
      ts_headline(config::regconfig, excerpt.html, query, ${textOptions}), excerpt.html,
      left(article.content, ${beginningCharacters})
    FROM page JOIN article ON article.id = page.id AND page.kind = 'article' AND article.status = 'published'
    ${sqlExcerpt(Prisma.sql`article.content`)}`
  return Prisma.sql`
    SELECT page.kind, memo.id::text, page.rank, page.at, page."hasMore", memo.language, memo.title,
      to_char(edition.date, 'MM-DD-YY') AS date, edition.slot,
      ts_headline(config::regconfig, memo.title, query, ${titleOptions}) AS "markedTitle",
      ts_headline(config::regconfig, excerpt.html, query, ${textOptions}) AS "markedHtml", excerpt.html AS excerpt,
      left(memo.content, ${beginningCharacters}) AS beginning
    FROM page
    JOIN memo ON memo.id = page.id AND page.kind = 'memo'
    JOIN edition ON edition.id = memo.edition_id AND edition.status = 'published'
    ${sqlExcerpt(Prisma.sql`memo.content`)}
    ${groupIds === null ? Prisma.empty : articles}
    ORDER BY rank DESC, at DESC, id DESC`
}

/**
 * Selects the part of a text from which the matches are taken, as the table `excerpt`. It begins and ends between tags
 * and, where words have spaces between them, between words, so that no address is cut.
 */
function sqlExcerpt(html: Prisma.Sql): Prisma.Sql {
  const { before, characters: most } = excerpt
  return Prisma.sql`CROSS JOIN LATERAL (
      SELECT CASE WHEN ts_rank(${weightsOfText}::real[], words, query) = 0 THEN 1 ELSE (
        SELECT greatest(place - ${before}, 1)
        FROM lower(left(${html}, ${characters})) lowered
        CROSS JOIN unnest(stems) stem
        CROSS JOIN LATERAL (SELECT strpos(lowered, left(stem, greatest(3, length(stem) - 1))) AS place OFFSET 0) found
        WHERE place > 0 AND substr(lowered, place, ${tagCharacters}) !~ '^[^<>]*>'
        ORDER BY length(stem) DESC, stem LIMIT 1
      ) END AS start OFFSET 0
    ) found
    CROSS JOIN LATERAL (
      SELECT CASE WHEN start IS NULL THEN left(${html}, ${characters}) ELSE substr(${html}, start, ${most}) END AS part
      OFFSET 0
    ) cut
    CROSS JOIN LATERAL (
      SELECT search_html(regexp_replace(
        CASE WHEN start > 1 THEN regexp_replace(part, '^([^<>]*>|[!-;=?-~]*)', '') ELSE part END,
        CASE WHEN coalesce(start, 1) + length(part) <= length(${html}) THEN '(<[^<>]*|[!-;=?-~]*)$' ELSE '$' END, ''
      )) AS html OFFSET 0
    ) excerpt`
}
