import type { CheckedLink } from '@tidings/contracts/desk/writing/readiness'
import { type DeskReply, type Requester, replyWith } from '#features/desk/index.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { LinkChecker } from '#integrations/links/link-checker.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { isAsked, toCheckedLink } from './checked-link.ts'
import {
  type LinkCheckRow,
  linkIdOf,
  listLinks,
  removeLinks,
  requestLinks,
  storeResult,
} from './link-checks.repository.ts'
import { checkLinks } from './readiness.jobs.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'jobs'> & {
  linkChecker: LinkChecker
  rateLimits: RateLimits
}

const minuteMs = 60_000
const freshMs = 10 * minuteMs
const lostMs = minuteMs
const keptMs = 30 * 24 * 60 * minuteMs

export type LinkChecks = ReturnType<typeof createLinkChecks>

/** Asks where links lead, and keeps the results for ten minutes. */
export function createLinkChecks({ database, clock, jobs, linkChecker, rateLimits }: Deps) {
  const before = (ms: number) => new Date(clock.now().getTime() - ms)

  async function ask(url: string): Promise<LinkCheckRow> {
    const result = await linkChecker.check(url)
    return await storeResult(database.db, url, result, clock.now())
  }

  return {
    /** Returns what is known of these addresses, and has a job ask those that weren't asked lately. */
    async read(urls: readonly string[]): Promise<{ links: Map<string, CheckedLink>; isChecking: boolean }> {
      const now = clock.now()
      const different = [...new Set(urls)]
      if (different.length > 0) {
        await database.transaction(async (tx) => {
          const times = { now, staleAt: before(freshMs), lostAt: before(lostMs) }
          const linkIds = await requestLinks(tx, different, times)
          if (linkIds.length > 0) await jobs.enqueue(tx, checkLinks, { linkIds })
        })
      }
      const rows = await listLinks(database.db, different.map(linkIdOf))
      const byUrl = new Map(rows.map((row) => [row.url, row]))
      return {
        links: new Map(different.map((url) => [url, toCheckedLink(url, byUrl.get(url), now)])),
        isChecking: different.some((url) => isAsked(byUrl.get(url))),
      }
    },

    /** Asks links, those of different hosts at once. */
    async run(linkIds: readonly string[]): Promise<void> {
      const rows = await listLinks(database.db, linkIds)
      await Promise.all(rows.filter(isAsked).map(({ url }) => ask(url)))
    },

    /** Returns where a link leads, asked within the last ten minutes. Throws `too-many-requests` past a limit. */
    async check({ editor }: Requester, url: string): Promise<DeskReply> {
      const [known] = await listLinks(database.db, [linkIdOf(url)])
      const isFresh = known !== undefined && known.checkedAt !== null && known.checkedAt > before(freshMs)
      if (!isFresh) await rateLimits.consume('linkChecks', editor.id)
      const row = isFresh ? known : await ask(url)
      return replyWith(toCheckedLink(url, row, clock.now()))
    },

    /** Forgets links that were last asked 30 days ago. */
    async removeOld(): Promise<void> {
      await removeLinks(database.db, before(keptMs))
    },
  }
}
