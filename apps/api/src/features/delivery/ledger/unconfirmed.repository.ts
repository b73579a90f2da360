import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { smsMethods } from '../methods.ts'
import { type DeliveryRow, logWith } from './deliveries.repository.ts'

/** Returns the log after a worker was lost. A reply that arrives later replaces the entry, as it is the same attempt. */
const logWithoutReply = logWith(
  Prisma.sql`'unknown'`,
  Prisma.sql`'The worker stopped before it had the reply.'`,
)

/**
 * Marks deliveries in flight of senders that stopped before `since` as unconfirmed. A removed sender counts as stopped,
 * because one of its statements can end after its removal. Skips runs that are done: they have none of these.
 */
export async function recoverDeliveries(tx: Db, since: Date, now: Date): Promise<number> {
  await tx.$queryRaw`SELECT 1 FROM delivery_sender WHERE heartbeat_at < ${since} ORDER BY id FOR UPDATE`
  const unconfirmed = await tx.$executeRaw`
    UPDATE delivery SET
      state = 'unconfirmed', updated_at = ${now}, attempt_log = ${logWithoutReply},
      reason = 'The worker ' || coalesce(
        (SELECT process || ' ' FROM delivery_sender AS sender WHERE sender.id = delivery.claimed_by), ''
      ) || 'stopped while it handed over the message.'
    FROM delivery_run AS run
    WHERE run.state <> 'done' AND delivery.run_id = run.id AND delivery.state = 'sending'
      AND NOT EXISTS (
        SELECT 1 FROM delivery_sender AS sender
        WHERE sender.id = delivery.claimed_by AND sender.heartbeat_at >= ${since}
      )`
  await tx.$executeRaw`DELETE FROM delivery_sender WHERE heartbeat_at < ${since}`
  return unconfirmed
}

/** Moves deliveries out of `unconfirmed`: one with all that its message carried, or old ones. Returns them. */
export async function resolveUnconfirmed(
  tx: Db,
  which: { id: string } | { before: Date },
  as: 'sent' | 'send-again',
  now: Date,
): Promise<DeliveryRow[]> {
  const messageId = 'id' in which ? await findMessageId(tx, which.id) : ''
  return await tx.delivery.updateManyAndReturn({
    where: {
      state: 'unconfirmed',
      ...('id' in which
        ? { OR: [{ id: messageId }, { sentWith: messageId }] }
        : { updatedAt: { lt: which.before } }),
      // Only an editor sends a text again, because each one costs money and interrupts its reader.
      ...(as === 'send-again' && !('id' in which) && { method: { notIn: [...smsMethods] } }),
    },
    data:
      as === 'sent'
        ? { state: 'sent', updatedAt: now, reason: 'confirmed' }
        : {
            state: 'planned',
            updatedAt: now,
            reason: 'send-again',
            claimedBy: null,
            nextAttemptAt: null,
            sentWith: null,
          },
  })
}

/** Returns the delivery that started the message of a delivery: itself, unless another one's message carried it. */
async function findMessageId(db: Db, id: string): Promise<string> {
  const row = await db.delivery.findUnique({ where: { id }, select: { sentWith: true } })
  return row?.sentWith ?? id
}
