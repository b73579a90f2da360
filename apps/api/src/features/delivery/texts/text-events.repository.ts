import type { Db } from '#platform/database.ts'
import { textMethods } from './text-methods.ts'

/** Records that a text reached the phone, also before its sender has stored that it was sent. */
export async function markTextDelivered(db: Db, id: string, now: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE delivery SET state = 'delivered', sent_at = coalesce(sent_at, ${now}), updated_at = ${now}
    WHERE id = ${id}::uuid AND state IN ('sending', 'sent', 'unconfirmed')`
}

/** Records that Twilio has a text of which that was not known. */
export async function markTextSent(db: Db, id: string, now: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE delivery SET state = 'sent', sent_at = ${now}, reason = 'confirmed', updated_at = ${now}
    WHERE id = ${id}::uuid AND state = 'unconfirmed'`
}

/** A text of which only Twilio knows whether it was accepted. */
export type UnconfirmedText = { id: string; recipient: string; claimedAt: Date }

const lookedUpAtOnce = 100

/** Lists the texts that became unconfirmed after `since`, oldest first. */
export async function listUnconfirmedTexts(db: Db, since: Date): Promise<UnconfirmedText[]> {
  return await db.$queryRaw<UnconfirmedText[]>`
    SELECT delivery.id, delivery.recipient, delivery.claimed_at AS "claimedAt"
    FROM delivery_run AS run JOIN delivery ON delivery.run_id = run.id
    WHERE run.archived_at IS NULL AND delivery.state = 'unconfirmed'
      AND delivery.method = ANY(${[...textMethods]}::delivery_method[])
      AND delivery.updated_at > ${since} AND delivery.claimed_at IS NOT NULL
    ORDER BY delivery.id LIMIT ${lookedUpAtOnce}`
}

/** Returns the ids of the members who verified a number. */
export async function listMembersOfNumber(db: Db, number: string): Promise<string[]> {
  const rows = await db.memberPhone.findMany({
    where: { number, verifiedAt: { not: null } },
    select: { memberId: true },
    orderBy: { memberId: 'asc' },
  })
  return rows.map(({ memberId }) => memberId)
}
