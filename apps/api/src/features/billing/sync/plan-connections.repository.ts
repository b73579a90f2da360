import type { BillingInterval, PlanConnection } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

/** A paid connection as it is to be. */
export type ConnectionState = {
  planId: string
  subscriptionId: string
  priceId: string
  status: string
  active: boolean
  amount: number
  currency: string
  interval: BillingInterval | null
  lastBilledAt: Date | null
  periodEndsAt: Date | null
  endsAt: Date | null
  pastDueAt: Date | null
  nextPriceId: string | null
}

/** A paid connection as it is. */
export type StoredConnection = PlanConnection

/** The paid connections of all these members. */
export async function listPaidConnections(db: Db, memberIds: readonly string[]): Promise<StoredConnection[]> {
  return await db.planConnection.findMany({
    where: { memberId: { in: [...memberIds] }, type: { not: 'free' } },
  })
}

export async function removeConnections(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.planConnection.deleteMany({ where: { id: { in: [...ids] } } })
}

/** Lets go of a subscription's id, so that the connection of another plan can take it. */
export async function releaseSubscriptions(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.planConnection.updateMany({ where: { id: { in: [...ids] } }, data: { subscriptionId: null } })
}

export async function updatePaidConnection(tx: Db, id: string, state: ConnectionState): Promise<void> {
  await tx.planConnection.update({ where: { id }, data: state, select: { id: true } })
}

/** Stores a new paid connection. One that the member holds of the plan for nothing becomes it. */
export async function createPaidConnection(
  tx: Db,
  connection: ConnectionState & Pick<PlanConnection, 'id' | 'memberId' | 'createdAt'>,
): Promise<void> {
  const { id, memberId, createdAt, ...state } = connection
  const paid = { ...state, type: 'subscription' as const }
  await tx.planConnection.upsert({
    where: { memberId_planId: { memberId, planId: state.planId } },
    create: { ...paid, id, memberId, createdAt },
    update: paid,
    select: { id: true },
  })
}
