import type { TestApp } from '../test-app.ts'

/** Plans of the app that a new site begins with; the two paid ones permit `paid`. */
export const testPlans = {
  free: 'pln_free-7q2m9x4kd1',
  monthly: 'pln_monthly-4f8t2c6hz9',
  yearly: 'pln_yearly-9b5s7j3dy6',
} as const

/** Has a member hold a plan, paid for or ended, as if a payment had said so. */
export async function holdPlan(
  { context }: Pick<TestApp, 'context'>,
  memberId: string,
  planId: string,
  { active } = { active: true },
): Promise<void> {
  await context.database.db.planConnection.create({
    data: {
      id: context.ids.public('con'),
      memberId,
      planId,
      type: 'subscription',
      priceId: `prc_of-${planId}`,
      amount: 499,
      currency: 'usd',
      interval: 'monthly',
      active,
      status: active ? 'ACTIVE' : 'CANCELED',
      createdAt: context.clock.now(),
    },
  })
}
