import type { PlanConnection } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export const connectionIdPrefix = 'con'

/** Stores a connection unless the member already has the plan. */
export async function createConnection(
  tx: Db,
  connection: Pick<PlanConnection, 'id' | 'memberId' | 'planId' | 'type' | 'createdAt'>,
): Promise<void> {
  await tx.planConnection.createMany({ data: [connection], skipDuplicates: true })
}

export async function removeConnection(tx: Db, id: string): Promise<void> {
  await tx.planConnection.delete({ where: { id }, select: { id: true } })
}

/** Returns how many members have a plan. Locks the plan until the transaction ends. */
export async function countHolders(tx: Db, appId: string, planId: string): Promise<number> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`plan ${appId} ${planId}`}, 0))::text`
  return await tx.planConnection.count({ where: { planId, active: true, member: { appId } } })
}

/** Lists the plans that members hold; a new configuration must keep them. */
export async function listHeldPlans(db: Db, appId: string): Promise<string[]> {
  const rows = await db.planConnection.findMany({
    where: { member: { appId } },
    distinct: ['planId'],
    select: { planId: true },
  })
  return rows.map(({ planId }) => planId)
}
