import { createHmac } from 'node:crypto'
import { namesOfCountries } from '@tidings/contracts/site/country-names'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { type NumberObstacle, numberObstacle, type SmsNumbers } from '#platform/phone/sms-number.ts'
import { createSmsCounter, type LimitedText, type SmsCounterDeps } from './sms-counter.ts'
import { fail } from './sms-limits.errors.ts'
import { createSmsMetrics } from './sms-limits.metrics.ts'
import {
  endStop,
  findStop,
  markEntered,
  markRefused,
  removeText,
  removeTextsBefore,
} from './sms-limits.repository.ts'

type Deps = SmsCounterDeps &
  Pick<PlatformDeps, 'metrics'> & {
    texted: SmsNumbers
    /** Whether the site sends texts at all. */
    isSetUp: boolean
    language: string
    secret: string
  }

const hourMs = 3_600_000
const keptMs = 8 * 24 * hourMs

export type SmsLimits = ReturnType<typeof createSmsLimits>

/** Limits codes and tests by text, for all processes together. Doesn't limit editions. */
export function createSmsLimits(deps: Deps) {
  const { database, clock, logger, texted, isSetUp } = deps
  const metrics = createSmsMetrics(deps.metrics, () => findStop(database.db, clock.now()))
  const key = createHmac('sha256', deps.secret).update('number of a limited text').digest()
  const hashOf = (number: string) => createHmac('sha256', key).update(number).digest('hex')
  const count = createSmsCounter(deps, metrics.countStop)

  /** Returns why no code and no test is texted to a number; null if they are. */
  function obstacleOf(number: string): NumberObstacle | null {
    return isSetUp ? numberObstacle(number, texted) : null
  }

  return {
    obstacleOf,

    /** Throws `country-not-served` or `not-mobile`. */
    assertSmsNumber(number: string): void {
      const obstacle = obstacleOf(number)
      if (obstacle !== null) throw fail(obstacle, namesOfCountries(texted.countries, deps.language))
    },

    /** Counts a text before it is sent, and returns its id. Throws `too-many-requests` or `phone-codes-stopped`. */
    async take(text: LimitedText): Promise<string> {
      const taken = await count(text, hashOf(text.number))
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
