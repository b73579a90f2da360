import { invalidField } from '#platform/fields.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'

/** The permissions and plans that open something: any one of each. An empty list requires nothing. */
export type AccessRule = { permissions: readonly string[]; plans: readonly string[] }

/** A member's active plans and the permissions that these include. */
export type Grants = { permissions: ReadonlySet<string>; plans: ReadonlySet<string> }

type OfferedPlans = Pick<MembershipApp, 'plansById'>

/** Returns whether the grants satisfy every rule. */
export function isOpen(rules: readonly AccessRule[], grants: Grants): boolean {
  return rules.every(
    ({ permissions, plans }) => hasAny(permissions, grants.permissions) && hasAny(plans, grants.plans),
  )
}

/** Returns what these plans grant. A plan that the app no longer offers includes no permissions. */
export function grantsOf(planIds: readonly string[], { plansById }: OfferedPlans): Grants {
  return {
    plans: new Set(planIds),
    permissions: new Set(planIds.flatMap((id) => plansById.get(id)?.permissions ?? [])),
  }
}

/** Returns the plans of which each alone satisfies every rule. */
export function plansThatOpen(rules: readonly AccessRule[], app: OfferedPlans): string[] {
  return [...app.plansById.keys()].filter((id) => isOpen(rules, grantsOf([id], app)))
}

/** Throws `invalid-request` for a plan that the app does not offer. */
export function requirePlans({ plansById }: OfferedPlans, planIds: readonly string[] = []): void {
  const unknown = planIds.find((id) => !plansById.has(id))
  if (unknown === undefined) return
  const offered =
    plansById.size === 0 ? 'the app has no plans' : `the plans are ${[...plansById.keys()].join(', ')}`
  throw invalidField('plans', `there is no plan '${unknown}'; ${offered}.`)
}

function hasAny(required: readonly string[], granted: ReadonlySet<string>): boolean {
  return required.length === 0 || required.some((each) => granted.has(each))
}
