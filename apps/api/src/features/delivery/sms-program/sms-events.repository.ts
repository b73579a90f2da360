import { z } from 'zod'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'
import { type DeliveryMethod, smsMethods } from '../methods.ts'

/**
 * Records that a text reached the phone, also before its sender has stored that it was sent. A delivery that an editor
 * sends again has two texts: one that arrived is enough, so it is no longer planned or bounced.
 */
export async function markSmsDelivered(db: Db, id: string, now: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE delivery SET
      state = 'delivered', reason = NULL, sent_at = coalesce(sent_at, ${now}), updated_at = ${now}
    WHERE id = ${id}::uuid AND state IN ('planned', 'sending', 'sent', 'bounced', 'unconfirmed')`
}

/** Records that a text did not reach the phone. Returns whether that was unknown. */
export async function markSmsFailed(tx: Db, id: string, reason: string, now: Date): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE delivery SET state = 'bounced', reason = ${reason}, updated_at = ${now}
    WHERE id = ${id}::uuid AND state IN ('sending', 'sent', 'unconfirmed')`
  return count === 1
}

/** Records that Twilio has a text whose reply was lost. */
export async function markSmsSent(db: Db, id: string, now: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE delivery SET state = 'sent', sent_at = ${now}, reason = 'confirmed', updated_at = ${now}
    WHERE id = ${id}::uuid AND state = 'unconfirmed'`
}

const unconfirmedSmsSchema = z.object({ id: z.string(), recipient: z.string(), claimedAt: z.date() })

/** A text whose reply was lost: only Twilio knows whether it was accepted. */
export type UnconfirmedSms = z.infer<typeof unconfirmedSmsSchema>

const lookedUpAtOnce = 100

/** Lists texts that became unconfirmed after `since`, in random order, so that each is looked up some time. */
export async function listUnconfirmedSms(db: Db, since: Date): Promise<UnconfirmedSms[]> {
  return await queryRows(db, unconfirmedSmsSchema)`
    SELECT delivery.id, delivery.recipient, delivery.claimed_at AS "claimedAt"
    FROM delivery_run AS run JOIN delivery ON delivery.run_id = run.id
    WHERE run.archived_at IS NULL AND delivery.state = 'unconfirmed'
      AND delivery.method = ANY(${[...smsMethods]}::delivery_method[])
      AND delivery.updated_at > ${since} AND delivery.claimed_at IS NOT NULL AND delivery.recipient <> ''
    ORDER BY random() LIMIT ${lookedUpAtOnce}`
}

/** A member who verified a number, and the methods that STOP turned off. */
export type MemberOfNumber = { memberId: string; stoppedMethods: DeliveryMethod[] }

export async function listMembersOfNumber(db: Db, number: string): Promise<MemberOfNumber[]> {
  return await db.memberPhone.findMany({
    where: { number, verifiedAt: { not: null } },
    select: { memberId: true, stoppedMethods: true },
    orderBy: { memberId: 'asc' },
  })
}

export async function storeStoppedMethods(
  db: Db,
  { memberId, stoppedMethods }: MemberOfNumber,
): Promise<void> {
  await db.memberPhone.updateMany({ where: { memberId }, data: { stoppedMethods } })
}
