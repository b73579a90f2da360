import type { PlanConnection } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

/** Stores a connection unless the member holds the plan already; answers whether it did. */
export async function createConnection(
  tx: Db,
  connection: Pick<PlanConnection, 'id' | 'memberId' | 'planId' | 'type' | 'createdAt'>,
): Promise<boolean> {
  const { count } = await tx.planConnection.createMany({ data: [connection], skipDuplicates: true })
  return count === 1
}

export async function removeConnection(tx: Db, id: string): Promise<void> {
  await tx.planConnection.delete({ where: { id }, select: { id: true } })
}

/** How many members of an app hold a plan. Whoever counts before adding holds the plan until the transaction ends. */
export async function countHolders(tx: Db, appId: string, planId: string): Promise<number> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`plan ${appId} ${planId}`}, 0))::text`
  return await tx.planConnection.count({ where: { planId, active: true, member: { appId } } })
}
