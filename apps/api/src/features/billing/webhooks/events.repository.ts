import type { PaymentEvent } from '../../../generated/prisma/client.ts'
import type { Db } from '../../../platform/database.ts'

/** Stores those events that were not told before, and answers their ids. */
export async function storeEvents(
  tx: Db,
  events: readonly Omit<PaymentEvent, 'receivedAt'>[],
  now: Date,
): Promise<Set<string>> {
  const columns = {
    ids: events.map(({ id }) => id),
    types: events.map(({ type }) => type),
    customerIds: events.map(({ customerId }) => customerId),
    instants: events.map(({ createdAt }) => createdAt),
  }
  // In the order of their ids: two processes that are told the same ones must not wait for each other.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO payment_event (id, type, customer_id, created_at, received_at)
    SELECT told.*, ${now}::timestamptz
    FROM unnest(
      ${columns.ids}::text[], ${columns.types}::text[], ${columns.customerIds}::text[], ${columns.instants}::timestamptz[]
    ) AS told (id, type, customer_id, created_at)
    ORDER BY told.id
    ON CONFLICT DO NOTHING
    RETURNING id`
  return new Set(rows.map(({ id }) => id))
}

/** Forgets the events that came before an instant. */
export async function removeOldEvents(db: Db, before: Date): Promise<void> {
  await db.paymentEvent.deleteMany({ where: { receivedAt: { lt: before } } })
}
