import { queryOptions } from '@tanstack/react-query'
import type { MembershipClient } from '@tidings/client'
import { formatDay, localDate } from '#lib/format/calendar.ts'
import { memberKey } from '#lib/member/member-queries.ts'
import type { MemberSession } from '#lib/member-session/member-session.ts'

/** A login of the member on one device. */
export type Session = Awaited<ReturnType<MembershipClient['listSessions']>>['data'][number]

export const sessionsKey = [memberKey, 'sessions'] as const

/** Reads the member's sessions: the one on this device first, then by last use. */
export function sessionsOf(session: MemberSession) {
  return queryOptions({
    queryKey: sessionsKey,
    // Logging out resets it while the screen is still there.
    enabled: () => session.isLoggedIn(),
    // A login on another device must show at once.
    staleTime: 0,
    async queryFn() {
      const { data } = await (await session.getClient()).listSessions()
      return data.toSorted(
        (one, other) =>
          Number(other.current) - Number(one.current) || other.lastUsedAt.localeCompare(one.lastUsedAt),
      )
    },
  })
}

/** Says when a session was last used. The server stores it to the hour. */
export function lastUse({ current, lastUsedAt }: Session, now: Date): string {
  if (current) return 'This device'
  const today = localDate(now)
  const date = localDate(new Date(lastUsedAt))
  const isToday = formatDay(date, today) === formatDay(today, today)
  return `Last used ${isToday ? 'today' : formatDay(date, today)}`
}
