import type { Db } from '#platform/database.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'

/** Returns the ids of the members with this email address, or with this number verified. */
export async function listMembersAt(db: Db, appId: string, address: string): Promise<string[]> {
  const rows = await queryRows(db, idRowSchema)`
    SELECT id FROM member WHERE app_id = ${appId} AND email = ${address}
    UNION SELECT member_id FROM member_phone WHERE number = ${address} AND verified_at IS NOT NULL
    ORDER BY id`
  return rows.map(({ id }) => id)
}

/** Returns the address of a person of the desk; null once they are removed. */
export async function findPersonAddress(db: Db, id: string): Promise<string | null> {
  const person = await db.person.findFirst({ where: { id, removedAt: null }, select: { email: true } })
  return person?.email ?? null
}
