import { z } from 'zod'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

const addressesSchema = z.object({ email: z.string(), proved: z.string().nullable() })

type Addresses = z.infer<typeof addressesSchema>

/**
 * Returns a member's address and the one that the member proved last, null for none. Keeps it from being verified or
 * changed until the transaction ends. Null for a deleted member.
 */
export async function lockAddresses(tx: Db, memberId: string): Promise<Addresses | null> {
  const [row] = await queryRows(tx, addressesSchema)`
    SELECT email, CASE WHEN verified THEN email ELSE (
      SELECT recipient FROM former_recipient former
      WHERE former.member_id = member.id AND recipient IN (member.former_email, member.email)
      ORDER BY changed_at DESC LIMIT 1
    ) END AS proved
    FROM member WHERE id = ${memberId} FOR SHARE OF member`
  return row ?? null
}

/** Addresses the emails that were held for a member. Returns their ids, oldest first. */
export async function releaseEmails(
  tx: Db,
  memberId: string,
  { recipient, mailbox, now }: { recipient: string; mailbox: string; now: Date },
): Promise<string[]> {
  const rows = await tx.outboxEmail.updateManyAndReturn({
    where: { heldFor: memberId },
    data: { recipient, mailbox, heldFor: null, releasedAt: now },
    select: { id: true, createdAt: true },
  })
  return rows
    .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
    .map(({ id }) => id)
}
