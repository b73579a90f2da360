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

/** Passes some minutes or hours. */
export async function passHours(at: AuditedSite, random: () => number): Promise<void> {
  const longest = random() < 0.6 ? 20 * minuteMs : 6 * hourMs
  await at.pass(random() * longest)
}

/** Passes days, a month, or the time until a renewal, whose member it returns while the invoice is a draft. */
export async function passDays(
  at: AuditedSite,
  random: () => number,
  people: readonly Person[],
): Promise<Person | null> {
  const dice = random()
  const share = random()
  const renewal = dice < 0.5 ? await findRenewal(at, people, share) : null
  if (renewal !== null) await at.pass(renewal.inMs + (5 + share * 40) * minuteMs)
  else if (dice < 0.7) await at.pass((1 + 2 * share) * dayMs)
  else await at.pass(dice < 0.85 ? (3 + 9 * share) * dayMs : (27 + 5 * share) * dayMs)
  return renewal?.person ?? null
}

/** Returns one of the next five renewals; null without one. Those of years are rare. */
async function findRenewal(at: AuditedSite, people: readonly Person[], share: number) {
  const now = at.clock.now().getTime()
  const renewals: { person: Person; inMs: number }[] = []
  for (const person of people.filter(({ deletedAt }) => deletedAt === null)) {
    const running = await at.ownSubscriptionOf(person)
    const inMs = (running?.items.data[0]?.current_period_end ?? 0) * 1_000 - now
    if (inMs > 0 && (inMs < 40 * dayMs || share < 0.05)) renewals.push({ person, inMs })
  }
  const soonest = renewals.toSorted((one, other) => one.inMs - other.inMs).slice(0, 5)
  return soonest[Math.floor(share * soonest.length)] ?? null
}
