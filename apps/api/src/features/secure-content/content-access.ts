import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'

/** What something asks for: any one of the permissions, and any one of the plans. An empty list asks for nothing. */
export type AccessRule = { permissions: readonly string[]; plans: readonly string[] }

/** What a member has to show: the plans they hold, and what those permit. */
export type Grants = { permissions: ReadonlySet<string>; plans: ReadonlySet<string> }

/** Whether a member may have what these rules guard; each of them must hold. */
export function isOpen(rules: readonly AccessRule[], grants: Grants): boolean {
  return rules.every(
    ({ permissions, plans }) => holdsAny(permissions, grants.permissions) && holdsAny(plans, grants.plans),
  )
}

/** What the plans that a member holds come to; a plan that the app no longer offers permits nothing. */
export function grantsOf(
  planIds: readonly string[],
  { plansById }: Pick<MembershipApp, 'plansById'>,
): Grants {
  return {
    plans: new Set(planIds),
    permissions: new Set(planIds.flatMap((id) => plansById.get(id)?.permissions ?? [])),
  }
}

function holdsAny(asked: readonly string[], held: ReadonlySet<string>): boolean {
  return asked.length === 0 || asked.some((each) => held.has(each))
}
