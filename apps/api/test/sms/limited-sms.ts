import { findMember, type MemberRow } from '#features/members/index.ts'
import { createSmsLimits, type SmsLimits } from '#features/sms-limits/index.ts'
import { hasCode } from '#platform/errors.ts'
import { createMetrics } from '#platform/metrics.ts'
import { createCapturedLog } from '../captured-log.ts'
import { holdFreePlan, holdPlan, testPlans } from '../factories/plans.ts'
import type { TestApp } from '../test-app.ts'

const dayMs = 24 * 3_600_000
const wide = { dailyCap: 0, dailyCodesPerNumber: 1_000, dailyCodesPerMember: 1_000, unverifiedPerHour: 1_000 }
export type LimitSettings = typeof wide

/** Returns the limits as another process has them, with its own log and metrics. */
export function processOf(site: TestApp, settings: Partial<LimitSettings> = {}) {
  const { lines, logger } = createCapturedLog()
  const metrics = createMetrics({ withProcess: false })
  const texted = { countries: ['US'], region: 'US' }
  const fixed = { texted, isSetUp: true, language: 'en', secret: 'a secret of the site' }
  const limits = createSmsLimits({ ...site.context, logger, metrics, ...fixed, ...wide, ...settings })
  return { limits, metrics, messages: () => lines.map((line): object => JSON.parse(line)) }
}

let made = 0

/** Stores a member of this age, with a plan unless it is empty. */
export async function createMember(site: TestApp, { days = 30, plan = '' } = {}): Promise<MemberRow> {
  made += 1
  const { database, config, clock, ids } = site.context
  const id = ids.public('mem')
  const createdAt = new Date(clock.now().getTime() - days * dayMs)
  const email = `limits-${made}@example.com`
  await database.db.member.create({
    data: { id, appId: config.site.appId, email, verified: true, termsAcceptedAt: createdAt, createdAt },
  })
  if (plan === testPlans.free) await holdFreePlan(site, id, plan)
  else if (plan !== '') await holdPlan(site, id, plan)
  const member = await findMember(database.db, id)
  if (member === null) throw new Error('The member was not stored.')
  return member
}

export const freshNumber = () => {
  made += 1
  return `+1213${String(3_000_000 + made)}`
}

/** Returns `sent`, or the code of the refusal. */
export async function outcomeOf(
  limits: SmsLimits,
  member: MemberRow,
  number = freshNumber(),
): Promise<string> {
  return await limits.take({ kind: 'code', number, member }).then(
    () => 'sent',
    (error: unknown) => {
      if (hasCode(error, 'too-many-requests', 'phone-codes-stopped')) return error.code
      throw error
    },
  )
}

export async function repeat<Result>(times: number, run: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let each = 0; each < times; each += 1) results.push(await run())
  return results
}

export const countOf = (outcomes: string[], outcome: string) =>
  outcomes.filter((each) => each === outcome).length
