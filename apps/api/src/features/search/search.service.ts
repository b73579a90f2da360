import { type CalendarDate, formatIsoDate } from '@tidings/contracts/edition-key'
import type { SearchReply } from '@tidings/contracts/search'
import type { LiveSession } from '#http/membership/member-session.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import type { Database } from '#platform/database.ts'
import { invalidField, singleLine } from '#platform/fields.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { ArticleService } from '../articles/index.ts'
import { reindexTexts } from './search.jobs.ts'
import { toWireResult } from './search.mapper.ts'
import {
  listMatches,
  listSimilarTitles,
  reindexSome,
  type Search,
  updateSiteLanguage,
} from './search.repository.ts'
import { formatCursor, type SearchPosition } from './search-cursor.ts'

type Deps = {
  database: Database
  jobs: Jobs
  articles: Pick<ArticleService, 'openGroupIds'>
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

const batch = 200

/** Searches memos and, for members, gated articles. */
export function createSearchService({ database, jobs, articles, rateLimits, timeZone, language }: Deps) {
  return {
    /** Returns a page of matches or, if nothing matches, similar titles. A visitor's search reads no article. */
    async find(
      { q, from, to, after }: SearchRequest,
      session: LiveSession | null,
      address: string,
    ): Promise<SearchReply> {
      await rateLimits.consume('searches', address)
      const days = {
        from: from === null ? '-infinity' : formatIsoDate(from),
        to: to === null ? 'infinity' : formatIsoDate(to),
      }
      if (from !== null && to !== null && days.from > days.to) {
        throw invalidField('from', "must not be after 'to'")
      }
      const groupIds = session === null ? null : await articles.openGroupIds(session)
      const search: Search = { typed: singleLine('q', q), days, groupIds, timeZone }

      const rows = await listMatches(database.sql, search, after)
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

    /** Gives texts without a language that of the site. After a change, a job indexes them again. */
    async followLanguage(): Promise<void> {
      await database.transaction(async (tx) => {
        if (await updateSiteLanguage(tx, language)) await jobs.enqueue(tx, reindexTexts, {})
      })
    },

    /** Indexes the texts whose language has changed, in batches. */
    async reindex(): Promise<void> {
      let isRunning = true
      while (isRunning) isRunning = await reindexSome(database.db, batch)
    },
  }
}

// Quoted and excluded words are meant as they are. Short ones resemble too many others.
function mayHaveTypingErrors(typed: string): boolean {
  return /[\p{L}\p{N}]{4}/u.test(typed) && !/"|(^|\s)-/.test(typed)
}
