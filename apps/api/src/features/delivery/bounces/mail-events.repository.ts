import { z } from 'zod'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

const recipientRowSchema = z.object({ recipient: z.string() })

/** Stores an event's id; returns whether it is new. */
export async function claimMailEvent(tx: Db, id: string, receivedAt: Date): Promise<boolean> {
  const { count } = await tx.mailEvent.createMany({ data: [{ id, receivedAt }], skipDuplicates: true })
  return count === 1
}

/** Returns whether an event was received before. */
export async function hasMailEvent(db: Db, id: string): Promise<boolean> {
  return (await db.mailEvent.findUnique({ where: { id }, select: { id: true } })) !== null
}

export async function removeMailEvents(db: Db, before: Date): Promise<void> {
  await db.mailEvent.deleteMany({ where: { receivedAt: { lt: before } } })
}

/** Records a message's bounce for all its deliveries. Returns its address; null if it had bounced, or was never sent. */
export async function markBounced(tx: Db, id: string, reason: string, now: Date): Promise<string | null> {
  const [row] = await queryRows(tx, recipientRowSchema)`
    UPDATE delivery SET state = 'bounced', reason = ${reason}, updated_at = ${now}
    WHERE (id = ${id}::uuid OR sent_with = ${id}::uuid) AND state IN ('sending', 'sent', 'delivered', 'unconfirmed')
    RETURNING recipient`
  return row?.recipient ?? null
}

/** Records a message's arrival for all its deliveries. Returns its address; null if that was known. */
export async function markDelivered(tx: Db, id: string, now: Date): Promise<string | null> {
  const [row] = await queryRows(tx, recipientRowSchema)`
    UPDATE delivery SET state = 'delivered', updated_at = ${now}
    WHERE (id = ${id}::uuid OR sent_with = ${id}::uuid) AND state IN ('sent', 'unconfirmed')
    RETURNING recipient`
  return row?.recipient ?? null
}

/** Records that the reader of a delivery reported it as spam. Returns its address. */
export async function markComplained(tx: Db, id: string, now: Date): Promise<string | null> {
  const [row] = await queryRows(tx, recipientRowSchema)`
    UPDATE delivery SET complained_at = coalesce(complained_at, ${now})
    WHERE id = ${id}::uuid RETURNING recipient`
  return row?.recipient ?? null
}
