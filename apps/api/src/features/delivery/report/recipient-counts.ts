import { type AnyMethod, deliveryMethods, pushMethod } from '@tidings/contracts/delivery/methods'
import type { MethodRecipients } from '@tidings/contracts/desk/writing/readiness'
import { dateInZone } from '#features/editions/index.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { countObstacles, countReached, type ObstacleCount } from '../ledger/recipients.repository.ts'
import { type DeliveryMethod, fromAnyMethod } from '../methods.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock'> & {
  appId: string
  timeZone: string
  pushKey: string | null
  /** How editions are sent. */
  editionMethods: readonly DeliveryMethod[]
}

const allMethods: readonly AnyMethod[] = [...deliveryMethods, pushMethod]

export type RecipientCounts = ReturnType<typeof createRecipientCounts>

/** Counts the members who would get an edition, or the digest with it, by each method and together. */
export function createRecipientCounts({ database, clock, editionMethods, ...rules }: Deps) {
  return {
    async read(): Promise<{ recipients: MethodRecipients[]; members: number }> {
      const today = dateInZone(clock.now(), rules.timeZone)
      const active = [...editionMethods, 'digest'] as const
      const [counts, members] = await Promise.all([
        countObstacles(database.db, active, { ...rules, today }),
        countReached(database.db, editionMethods, { ...rules, today }),
      ])
      const recipients = allMethods.map((method) => {
        const own = counts.filter((each) => each.method === fromAnyMethod(method))
        const count = own.find(({ obstacle }) => obstacle === null)?.count ?? 0
        const isOn = active.some((each) => each === fromAnyMethod(method))
        return {
          method,
          count,
          reason: count > 0 ? null : isOn ? reasonOf(own) : 'This site doesn’t send it.',
        }
      })
      return { recipients, members }
    },
  }
}

const obstacleTexts: Readonly<Record<string, (count: number) => string>> = {
  'no-plan': (count) => `${count} without a plan that delivers`,
  unverified: (count) => `${count} with an address or number that isn’t verified`,
  bounce: (count) => `${count} whose address bounced`,
  complaint: (count) => `${count} who reported our mail as spam`,
  paused: (count) => `${count} who paused deliveries`,
}

/** Returns why none of the members who chose a method get it. */
function reasonOf(counts: readonly ObstacleCount[]): string {
  if (counts.length === 0) return 'No member has chosen it.'
  const parts = counts.map(
    ({ obstacle, count }) => obstacleTexts[obstacle ?? '']?.(count) ?? `${count} others`,
  )
  return `Nobody can get it now: ${parts.join(', ')}.`
}
