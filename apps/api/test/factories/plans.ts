import { connectionIdPrefix } from '#features/plans/index.ts'
import type { Prisma } from '#generated/prisma/client.ts'
import type { TestApp } from '../test-app.ts'

/** The plans of a new site's app; the two paid plans grant `paid`. */
export const testPlans = {
  free: 'pln_free-7q2m9x4kd1',
  monthly: 'pln_monthly-4f8t2c6hz9',
  yearly: 'pln_yearly-9b5s7j3dy6',
} as const

/** Connects a member to a plan, paid or canceled, as a payment would. */
export async function holdPlan(
  { context }: Pick<TestApp, 'context'>,
  memberId: string,
  planId: string,
  { active } = { active: true },
): Promise<void> {
  const price = { priceId: `prc_of-${planId}`, amount: 499, currency: 'usd', interval: 'monthly' } as const
  await connect(context, { memberId, planId, type: 'subscription', ...price, active })
}

/** Connects a member to a plan without a price. */
export async function holdFreePlan(
  { context }: Pick<TestApp, 'context'>,
  memberId: string,
  planId: string,
): Promise<void> {
  await connect(context, { memberId, planId, type: 'free', active: true })
}

type Connection = Omit<Prisma.PlanConnectionUncheckedCreateInput, 'id' | 'status' | 'createdAt'> & {
  active: boolean
}

async function connect({ database, ids, clock }: TestApp['context'], connection: Connection): Promise<void> {
  const status = connection.active ? 'ACTIVE' : 'CANCELED'
  const id = ids.public(connectionIdPrefix)
  await database.db.planConnection.create({ data: { ...connection, id, status, createdAt: clock.now() } })
}
