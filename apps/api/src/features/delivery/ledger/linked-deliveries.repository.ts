import type { Delivery, DeliveryRun } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type LinkedDelivery = Pick<Delivery, 'id' | 'memberId' | 'method'> & { run: DeliveryRun }

/** Returns the delivery that a link names; null once it is archived. */
export async function findLinkedDelivery(db: Db, id: string): Promise<LinkedDelivery | null> {
  const delivery = await db.delivery.findUnique({
    where: { id },
    select: { id: true, runId: true, memberId: true, method: true },
  })
  const run = delivery === null ? null : await db.deliveryRun.findUnique({ where: { id: delivery.runId } })
  return delivery === null || run === null ? null : { ...delivery, run }
}
