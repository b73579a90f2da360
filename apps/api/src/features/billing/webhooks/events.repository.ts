import type { PaymentEvent } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

/** Stores events; returns those whose id is new, each once. */
export async function claimEvents<Event extends PaymentEvent>(
  tx: Db,
  events: readonly Event[],
): Promise<Event[]> {
  const byId = new Map(events.map((event) => [event.id, event]))
  // Inserts in id order, because other processes may store the same events.
  const claimed = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO payment_event (id, type, customer_id, created_at, received_at)
    SELECT id, type, "customerId", "createdAt", "receivedAt"
    FROM jsonb_to_recordset(${JSON.stringify([...byId.values()])}::jsonb)
      AS event (id text, type text, "customerId" text, "createdAt" timestamptz, "receivedAt" timestamptz)
    ORDER BY id
    ON CONFLICT DO NOTHING
    RETURNING id`
  return claimed.flatMap(({ id }) => byId.get(id) ?? [])
}

/** Removes the events received before an instant. */
export async function removeOldEvents(db: Db, before: Date): Promise<void> {
  await db.paymentEvent.deleteMany({ where: { receivedAt: { lt: before } } })
}
