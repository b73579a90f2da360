import type { MemberRow } from '#features/members/index.ts'
import type { Sql } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import {
  addText,
  type CodeStop,
  countUnused,
  countUsage,
  lockStop,
  shareMember,
  storeStop,
  type UsageOfDay,
} from './sms-limits.repository.ts'
import { isSuddenRise, usualOf } from './sudden-rise.ts'

export type SmsCounterDeps = Pick<PlatformDeps, 'database' | 'clock' | 'logger' | 'apps'> & {
  dailyCap: number
  dailyCodesPerNumber: number
  dailyCodesPerMember: number
  unverifiedPerHour: number
}

/** A code for a member, or an editor's test. */
export type LimitedText =
  | { kind: 'code'; number: string; member: MemberRow }
  | { kind: 'test'; number: string }

type Limit = 'number' | 'member' | 'daily-cap' | 'stopped'
type Taken = { id: string; isLast: boolean } | { limit: Limit; until: Date }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const usualDays = 7
const stopMs = 6 * hourMs
const newAccountMs = 7 * dayMs

/** Returns the function that counts texts within their limits. */
export function createSmsCounter(deps: SmsCounterDeps, countStop: () => void) {
  const { database, clock, logger } = deps

  /** Returns whether a member has a plan that strangers can't get for nothing. */
  async function hasPlan({ appId, planConnections }: MemberRow): Promise<boolean> {
    const { byId } = await deps.apps.directory()
    const byInvitation = (planId: string) => byId.get(appId)?.plansById.get(planId)?.restrictToAdmin === true
    return planConnections.some(
      ({ active, type, planId }) => active && (type !== 'FREE' || byInvitation(planId)),
    )
  }

  /** Returns the limit that a text would exceed, and until when. */
  function exceeded(usage: UsageOfDay, kind: LimitedText['kind'], isKept: boolean) {
    const { dailyCap, dailyCodesPerNumber, dailyCodesPerMember } = deps
    const limits = [
      ...(kind === 'code'
        ? ([
            ['number', usage.number, dailyCodesPerNumber],
            ['member', usage.member, dailyCodesPerMember],
          ] as const)
        : []),
      ...(dailyCap === 0
        ? []
        : ([
            ['daily-cap', usage.site, dailyCap],
            ['daily-cap', usage.withoutPlan, isKept ? Infinity : Math.floor(dailyCap / 2)],
          ] as const)),
    ]
    const found = limits.find(([, { count }, most]) => count >= most)
    if (found === undefined) return null
    const [limit, { oldest }] = found
    return { limit, until: new Date((oldest ?? clock.now()).getTime() + dayMs) }
  }

  /** Returns until when codes to new accounts are stopped. Stops them if too many stay unused. */
  async function watch(tx: Sql, { stoppedUntil, allowedAt }: CodeStop, now: Date): Promise<Date | null> {
    if (stoppedUntil !== null && stoppedUntil > now) return stoppedUntil
    const { dailyCodesPerMember } = deps
    const unused = await countUnused(tx, { now, days: usualDays, allowedAt, dailyCodesPerMember })
    if (!isSuddenRise(unused, deps.unverifiedPerHour)) return null
    const until = new Date(now.getTime() + stopMs)
    await storeStop(tx, until)
    countStop()
    const fields = { unused: unused.now, usual: usualOf(unused.before), until }
    logger.warn(fields, 'codes to new accounts stopped')
    return until
  }

  /** Counts a text, unless that exceeds a limit. */
  return async function count(text: LimitedText, numberHash: string): Promise<Taken> {
    const now = clock.now()
    const member = text.kind === 'code' ? text.member : null
    const isKept = member !== null && (await hasPlan(member))
    const isNew = member !== null && now.getTime() - member.createdAt.getTime() < newAccountMs
    return await database.sqlTransaction(async (tx) => {
      // First, so that nothing is waited for while the other lock is held.
      const memberId = member === null ? null : await shareMember(tx, member.id)
      const stop = await lockStop(tx)
      const until = text.kind === 'code' ? await watch(tx, stop, now) : null
      if (until !== null && isNew && !isKept) return { limit: 'stopped', until }
      const since = new Date(now.getTime() - dayMs)
      const usage = await countUsage(tx, { since, numberHash, memberId })
      const limit = exceeded(usage, text.kind, isKept)
      if (limit !== null) return limit
      const id = await addText(tx, { kind: text.kind, numberHash, memberId, hasPlan: isKept, sentAt: now })
      const isLast =
        usage.site.count + 1 === deps.dailyCap ||
        (!isKept && usage.withoutPlan.count + 1 === Math.floor(deps.dailyCap / 2))
      return { id, isLast }
    })
  }
}
