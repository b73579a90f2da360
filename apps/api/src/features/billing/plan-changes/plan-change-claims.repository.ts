import type { Db } from '../../../platform/database.ts'

/**
 * Lets a call change the plan of a customer to a price, together with others to the same one; false while it is being
 * changed to another.
 */
export async function claimPlanChange(
  db: Db,
  { customerId, priceId, callId }: { customerId: string; priceId: string; callId: string },
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE payment_customer
    SET changing_to = ${priceId},
      changing_until = ${until},
      changing_by = CASE WHEN changing_until > ${now} THEN array_append(changing_by, ${callId}) ELSE ARRAY[${callId}] END
    WHERE id = ${customerId} AND (changing_to IS NULL OR changing_to = ${priceId} OR changing_until <= ${now})`
  return count === 1
}

/** Goes on with a claim until later; false when its time ran out and another call has taken it. */
export async function renewPlanChange(
  db: Db,
  { customerId, callId }: { customerId: string; callId: string },
  until: Date,
): Promise<boolean> {
  const { count } = await db.paymentCustomer.updateMany({
    where: { id: customerId, changingBy: { has: callId } },
    data: { changingUntil: until },
  })
  return count === 1
}

/** Lets go of a claim; the last call to do so lets others change the plan to another price. */
export async function releasePlanChange(
  db: Db,
  { customerId, callId }: { customerId: string; callId: string },
): Promise<void> {
  await db.$executeRaw`
    UPDATE payment_customer
    SET changing_by = array_remove(changing_by, ${callId}),
      changing_to = CASE WHEN changing_by = ARRAY[${callId}] THEN NULL ELSE changing_to END
    WHERE id = ${customerId} AND ${callId} = ANY(changing_by)`
}
