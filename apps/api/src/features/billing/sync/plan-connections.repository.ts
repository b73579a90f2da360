import type { renewalSchema } from '@tidings/contracts/membership/members'
import type { z } from 'zod'
import { type PlanConnection, Prisma } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'

export const syncedColumns = [
  'planId',
  'subscriptionId',
  'priceId',
  'status',
  'active',
  'amount',
  'currency',
  'interval',
  'lastBilledAt',
  'periodEndsAt',
  'endsAt',
  'pastDueAt',
  'nextPriceId',
  'adjustedBy',
] as const

/** The amounts of the next payments, as on the wire but in minor units. */
export type StoredRenewal = z.infer<typeof renewalSchema>

/** The wanted state of a paid connection. */
export type ConnectionState = Pick<PlanConnection, (typeof syncedColumns)[number]> & {
  subscriptionId: string
  priceId: string
  amount: number
  currency: string
  /** Null if it renews at `amount`, undefined if that is not known. */
  renewal?: StoredRenewal | null
}

export type StoredConnection = PlanConnection

export async function listPaidConnections(db: Db, memberIds: readonly string[]): Promise<StoredConnection[]> {
  return await db.planConnection.findMany({
    where: { memberId: { in: [...memberIds] }, type: { not: 'free' } },
  })
}

export async function removeConnections(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.planConnection.deleteMany({ where: { id: { in: [...ids] } } })
}

/** Clears the unique subscription ids, so that connections of other plans can take them. */
export async function releaseSubscriptions(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.planConnection.updateMany({ where: { id: { in: [...ids] } }, data: { subscriptionId: null } })
}

export async function updatePaidConnection(tx: Db, id: string, state: ConnectionState): Promise<void> {
  await tx.planConnection.update({ where: { id }, data: toColumns(state), select: { id: true } })
}

/** Stores a new paid connection. Replaces a free connection of the same plan. */
export async function createPaidConnection(
  tx: Db,
  connection: ConnectionState & Pick<PlanConnection, 'id' | 'memberId' | 'createdAt'>,
): Promise<void> {
  const { id, memberId, createdAt, ...state } = connection
  const paid = { ...toColumns(state), type: 'subscription' as const }
  await tx.planConnection.upsert({
    where: { memberId_planId: { memberId, planId: state.planId } },
    create: { ...paid, id, memberId, createdAt },
    update: paid,
    select: { id: true },
  })
}

const openAndPaid = { active: true, type: { not: 'free' as const } }

export async function listOpenPlans(db: Db, customerIds: readonly string[]) {
  return await db.planConnection.findMany({
    where: { ...openAndPaid, member: { paymentCustomer: { id: { in: [...customerIds] } } } },
    select: { memberId: true, planId: true },
  })
}

export async function countOpenPlans(db: Db): Promise<number> {
  return await db.planConnection.count({ where: openAndPaid })
}

function toColumns({ renewal, ...columns }: ConnectionState) {
  if (renewal === undefined) return columns
  return { ...columns, renewal: renewal === null ? Prisma.DbNull : toJson(renewal) }
}
