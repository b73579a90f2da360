import { AppError } from '#platform/errors.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'

/** Throws `invalid-request`, naming it, when a plan is not one of the app's. */
export function requirePlans(
  { plansById }: Pick<MembershipApp, 'plansById'>,
  planIds: readonly string[] | undefined,
): void {
  const unknown = planIds?.find((id) => !plansById.has(id))
  if (unknown === undefined) return
  const offered = [...plansById.keys()].join(', ')
  throw new AppError(
    'invalid-request',
    400,
    `plans: there is no plan '${unknown}'; ${offered === '' ? 'the app has none' : `there are ${offered}`}.`,
  )
}
