import type { AuditedSite } from './audited-site.ts'
import type { Person } from './people.ts'
import { pick } from './random-choice.ts'

const kinds = [
  'server-error',
  'rate-limit',
  'reset',
  'reset-after',
  'timeout-before',
  'timeout-after',
] as const
const calls = [
  '',
  'GET /v1/subscriptions',
  'POST /v1/subscriptions',
  'DELETE /v1/subscriptions',
  'POST /v1/subscription_schedules',
  'GET /v1/invoices',
  'POST /v1/invoices',
  'POST /v1/refunds',
  'POST /v1/customers',
  'POST /v1/checkout/sessions',
  'GET /v1/checkout/sessions',
]

/** Lets the next calls to Stripe fail, time out, or lose their response. */
export async function addFault({ controls }: AuditedSite, random: () => number): Promise<void> {
  const fault = { kind: pick(kinds, random), match: pick(calls, random), times: 1 + Math.floor(random() * 3) }
  await controls.addFault({ ...fault, delayMs: 200 })
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Passes minutes or hours; a long time is one of days, of a month, or until just after a renewal. */
export async function passTime(
  at: AuditedSite,
  random: () => number,
  { isLong, people }: { isLong: boolean; people: readonly Person[] },
): Promise<void> {
  const dice = random()
  const share = random()
  if (!isLong) return await at.pass(share * (dice < 0.6 ? 20 * minuteMs : 6 * hourMs))
  const renewsInMs = dice < 0.4 ? await untilRenewal(at, people, share) : null
  // Within the hour in which a renewal's invoice is a draft.
  if (renewsInMs !== null) return await at.pass(renewsInMs + 10 * minuteMs + share * 40 * minuteMs)
  if (dice < 0.65) return await at.pass((1 + 2 * share) * dayMs)
  await at.pass(dice < 0.85 ? (3 + 9 * share) * dayMs : (27 + 5 * share) * dayMs)
}

/** Returns the time until one of the next renewals; null without one. */
async function untilRenewal(
  at: AuditedSite,
  people: readonly Person[],
  share: number,
): Promise<number | null> {
  const now = at.clock.now().getTime()
  const renewals: number[] = []
  for (const person of people) {
    const running = await at.ownSubscriptionOf(person)
    const ends = (running?.items.data[0]?.current_period_end ?? 0) * 1_000
    const isSoon = ends - now < 40 * dayMs
    if (person.deletedAt === null && ends > now && (isSoon || share < 0.05)) renewals.push(ends - now)
  }
  const soonest = renewals.toSorted((one, other) => one - other).slice(0, 5)
  return soonest[Math.floor(share * soonest.length)] ?? null
}
