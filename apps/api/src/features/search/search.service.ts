import { type CalendarDate, formatIsoDate } from '@tidings/contracts/edition-key'
import type { SearchReply } from '@tidings/contracts/search'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { LiveSession } from '#http/membership/member-session.ts'
import { invalidField, singleLine } from '#platform/fields.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { ArticleService } from '../articles/index.ts'
import type { DailyCounts } from '../daily-counts/index.ts'
import { reindexTexts } from './search.jobs.ts'
import { toWireResult } from './search.mapper.ts'
import {
  listMatches,
  listSimilarTitles,
  reindexArticles,
  reindexMemos,
  type Search,
  separatesWords,
  updateSiteLanguage,
} from './search.repository.ts'
import { formatCursor, type SearchPosition } from './search-cursor.ts'
import { straighten } from './typed.ts'

type Deps = Pick<PlatformDeps, 'database' | 'logger' | 'jobs'> & {
  articles: Pick<ArticleService, 'openGroupIds'>
  dailyCounts: Pick<DailyCounts, 'searchMissed'>
  rateLimits: RateLimits
  timeZone: string
  language: string
}

/** A search as it was requested; the days are null without a limit. */
export type SearchRequest = {
  q: string
  from: CalendarDate | null
  to: CalendarDate | null
  after: SearchPosition | null
}

export type SearchService = ReturnType<typeof createSearchService>

/** How many texts were indexed. */
export type SearchTexts = { memos: number; articles: number }

const repair =
  "Dump the database, create another one from template0 with LC_CTYPE 'C.UTF-8', restore the dump there, and run 'tidings search reindex'."

// Some seconds, also if they are the longest.
const batchSize = 50
const beforeAll = '00000000-0000-0000-0000-000000000000'

/** Searches memos and, for members, gated articles. */
export function createSearchService({
  logger,
  database,
  jobs,
  articles,
  dailyCounts,
  rateLimits,
  timeZone,
  language,
}: Deps) {
  return {
    /** Returns a page of matches or, if nothing matches, similar titles. A visitor's search reads no article. */
    async find(
      { q, from, to, after }: SearchRequest,
      session: LiveSession | null,
      reader: { address: string; browserId: string | null },
    ): Promise<SearchReply> {
      await rateLimits.consume('searches', reader.address)
      const days = {
        from: from === null ? '-infinity' : formatIsoDate(from),
        to: to === null ? 'infinity' : formatIsoDate(to),
      }
      if (from !== null && to !== null && days.from > days.to) {
        throw invalidField('from', "must not be after 'to'")
      }
      const groupIds = session === null ? null : await articles.openGroupIds(session)
      const search: Search = { typed: straighten(singleLine('q', q)), days, groupIds, timeZone }

      const rows = await listMatches(database.sql, search, after)
      if (rows.length === 0 && after === null) {
        const id = session?.memberId ?? reader.browserId ?? reader.address
        await dailyCounts.searchMissed(search.typed, id)
      }
      if (rows.length === 0 && after === null && mayHaveTypingErrors(search.typed)) {
        const titles = await listSimilarTitles(database.sql, search)
        return { data: titles.map(toWireResult), next: null, similar: titles.length > 0 }
      }
      const last = rows.at(-1)
      return {
        data: rows.map(toWireResult),
        next: last?.hasMore ? formatCursor(last) : null,
        similar: false,
      }
    },

    /**
     * Gives texts without a language that of the site. After a change of it, or of the database's LC_CTYPE, a job indexes
     * all again.
     */
    async followLanguage(): Promise<void> {
      await database.sqlTransaction(async (tx) => {
        if (await updateSiteLanguage(tx, language)) await jobs.enqueue(tx, reindexTexts, {})
      })
    },

    /** Indexes all that is published again, in batches. Changes of editors wait for one batch at most. */
    async reindex(onProgress: (indexed: SearchTexts) => void = () => {}): Promise<SearchTexts> {
      const indexed = { memos: 0, articles: 0 }
      for await (const count of inBatches(reindexMemos)) {
        indexed.memos += count
        onProgress({ ...indexed })
      }
      for await (const count of inBatches(reindexArticles)) {
        indexed.articles += count
        onProgress({ ...indexed })
      }
      return indexed
    },

    /** Warns of a database in which words beside quotes, dashes and no-break spaces are not found. */
    async checkDatabase(): Promise<void> {
      if (await separatesWords(database.sql)) return
      logger.warn({ repair }, 'database ctype joins words')
    },
  }

  async function* inBatches(reindexSome: typeof reindexMemos): AsyncGenerator<number> {
    let after = beforeAll
    for (;;) {
      const batch = await reindexSome(database.db, after, batchSize)
      if (!batch?.last) return
      yield batch.count
      after = batch.last
    }
  }
}

// Quoted and excluded words are meant as they are. Short ones resemble too many others.
function mayHaveTypingErrors(typed: string): boolean {
  return /[\p{L}\p{N}]{4}/u.test(typed) && !/"|(^|\s)-/.test(typed)
}
