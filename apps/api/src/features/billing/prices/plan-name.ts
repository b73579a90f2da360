import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'

/** What a plan is called; one that is configured no more goes by the app's name. */
export function planNameOf(app: MembershipApp, planId: string): string {
  return app.plansById.get(planId)?.name ?? app.name
}
