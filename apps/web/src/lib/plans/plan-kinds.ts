import type { PlanConnection } from '@tidings/contracts/membership/members'
import type { Plan } from '@tidings/contracts/membership/plans'

export type PlanKind = 'monthly' | 'yearly'

/** Returns the kind in a plan's id, which has the form `pln_monthly-…`; null for another plan. */
export function planKindOf(planId: string): PlanKind | null {
  const kind = planId.split('_')[1]?.split('-')[0]
  return kind === 'monthly' || kind === 'yearly' ? kind : null
}

/** Returns the price of the plan of a kind that is sold now; undefined when there is none. */
export function priceOfKind(plans: readonly Plan[], kind: PlanKind): Plan['prices'][number] | undefined {
  return plans
    .filter(({ id }) => planKindOf(id) === kind)
    .flatMap(({ prices }) => prices)
    .find(({ active }) => active)
}

/** Returns the member's connection to a monthly or yearly plan; undefined without one. */
export function paidConnection(connections: readonly PlanConnection[]): PlanConnection | undefined {
  return connections.find(({ active, planId }) => active && planKindOf(planId) !== null)
}
