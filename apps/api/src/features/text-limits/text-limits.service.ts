import { createHmac } from 'node:crypto'
import { namesOfCountries } from '@tidings/contracts/membership/country-names'
import type { MemberRow } from '#features/members/index.ts'
import type { Db, Sql } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { type NumberObstacle, numberObstacle, type TextedNumbers } from '#platform/phone/texted-number.ts'
import { isSuddenRise, usualOf } from './sudden-rise.ts'
import { fail } from './text-limits.errors.ts'
import { createTextMetrics } from './text-limits.metrics.ts'
import {
  addText,
  type CodeStop,
  countUnused,
  countUsage,
  endStop,
  findStop,
  lockStop,
  markEntered,
  markRefused,
  removeText,
  removeTextsBefore,
  shareMember,
  storeStop,
  type UsageOfDay,
} from './text-limits.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'logger' | 'metrics' | 'apps'> & {
  texted: TextedNumbers
  /** Whether the site sends texts at all. */
  isSetUp: boolean
  dailyCap: number
  dailyCodesPerNumber: number
  dailyCodesPerMember: number
  unverifiedPerHour: number
  language: string
  secret: string
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
const keptMs = (usualDays + 1) * dayMs
const stopMs = 6 * hourMs
const newAccountMs = 7 * dayMs

export type TextLimits = ReturnType<typeof createTextLimits>

/** Limits codes and tests by text, for all processes together. Doesn't limit editions. */
export function createTextLimits(deps: Deps) {
  const { database, clock, logger, texted, isSetUp } = deps
  const metrics = createTextMetrics(deps.metrics, () => findStop(database.db, clock.now()))
  const key = createHmac('sha256', deps.secret).update('number of a limited text').digest()
  const hashOf = (number: string) => createHmac('sha256', key).update(number).digest('hex')

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
    const found = limits.find(([, { count }, max]) => count >= max)
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
    metrics.countStop()
    const fields = { unused: unused.now, usual: usualOf(unused.before), until }
    logger.warn(fields, 'codes to new accounts stopped')
    return until
  }

  async function count(text: LimitedText): Promise<Taken> {
    const now = clock.now()
    const member = text.kind === 'code' ? text.member : null
    const numberHash = hashOf(text.number)
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

  /** Returns why no code and no test is texted to a number; null if they are. */
  function obstacleOf(number: string): NumberObstacle | null {
    return isSetUp ? numberObstacle(number, texted) : null
  }

  return {
    obstacleOf,

    /** Throws `country-not-served` or `not-mobile`. */
    assertTexted(number: string): void {
      const obstacle = obstacleOf(number)
      if (obstacle !== null) throw fail(obstacle, namesOfCountries(texted.countries, deps.language))
    },

    /** Counts a text before it is sent, and returns its id. Throws `too-many-requests` or `phone-codes-stopped`. */
    async take(text: LimitedText): Promise<string> {
      const taken = await count(text)
      const { kind } = text
      metrics.count(kind, 'id' in taken ? 'counted' : taken.limit)
      if ('id' in taken) {
        if (taken.isLast) logger.warn({ cap: deps.dailyCap }, 'daily cap of texts reached')
        return taken.id
      }
      // To the hour: the exact time would reveal when another member requested a code for this number.
      const seconds = Math.max(1, Math.ceil((taken.until.getTime() - clock.now().getTime()) / hourMs)) * 3_600
      if (taken.limit === 'stopped') throw fail('phone-codes-stopped', seconds)
      throw fail('too-many-requests', kind, seconds)
    },

    /** Takes back a text that was certainly not sent. */
    async giveBack(id: string): Promise<void> {
      await removeText(database.db, id)
    },

    /** Records that Twilio refused the number: it cost nothing, and must not become a way to look numbers up. */
    async refuse(id: string): Promise<void> {
      await markRefused(database.db, id)
    },

    /** Records that a member entered a code that was sent to the number. */
    async enter(tx: Db, memberId: string, number: string): Promise<void> {
      await markEntered(tx, { memberId, numberHash: hashOf(number) }, clock.now())
    },

    /** Returns until when codes to new accounts are stopped; null if they are not. */
    async stoppedUntil(): Promise<Date | null> {
      return await findStop(database.db, clock.now())
    },

    /** Texts codes to new accounts again. Returns whether they were stopped. */
    async allowCodes(): Promise<boolean> {
      return await endStop(database.db, clock.now())
    },

    async removeOld(): Promise<void> {
      await removeTextsBefore(database.db, new Date(clock.now().getTime() - keptMs))
    },
  }
}
