import { type DeskRole, deskRole } from '@tidings/contracts/desk/desk'
import { announceEndedAccess } from '#features/desk/index.ts'
import type { Person } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'

export type PersonRow = Person

export async function findPerson(db: Db, id: string): Promise<PersonRow | null> {
  return await db.person.findFirst({ where: { id, removedAt: null } })
}

export async function findPersonByEmail(db: Db, email: string): Promise<PersonRow | null> {
  return await db.person.findFirst({ where: { email, removedAt: null } })
}

export async function listActive(db: Db): Promise<PersonRow[]> {
  return await db.person.findMany({ where: { removedAt: null }, orderBy: [{ name: 'asc' }, { id: 'asc' }] })
}

/** Returns how many passkeys people have, and when a session of theirs was last used. */
export async function readLogins(
  db: Db,
): Promise<Map<string, { passkeys: number; lastSeenAt: Date | null }>> {
  const rows = await db.person.findMany({
    where: { removedAt: null },
    select: {
      id: true,
      _count: { select: { passkeys: true } },
      sessions: { select: { lastUsedAt: true }, orderBy: { lastUsedAt: 'desc' }, take: 1 },
    },
  })
  return new Map(
    rows.map(({ id, _count, sessions }) => [
      id,
      { passkeys: _count.passkeys, lastSeenAt: sessions[0]?.lastUsedAt ?? null },
    ]),
  )
}

export async function updatePerson(
  tx: Db,
  id: string,
  data: { name?: string; timeZone?: string | null; roles?: DeskRole[]; removedAt?: Date },
): Promise<PersonRow> {
  return await tx.person.update({ where: { id }, data })
}

/** Adds a person, also again after their removal. */
export async function addPerson(
  tx: Db,
  { email, name, roles }: { email: string; name: string; roles: readonly DeskRole[] },
): Promise<PersonRow> {
  const values = { name, roles: [...roles] }
  return await tx.person.upsert({
    where: { email },
    create: { email, ...values },
    update: { ...values, removedAt: null },
  })
}

/** Locks the owners, in the order of their ids, and returns these. */
export async function lockOwners(tx: Db): Promise<Set<string>> {
  const rows = await queryRows(tx, idRowSchema)`
    SELECT id::text FROM person WHERE 'owner' = ANY (roles) AND removed_at IS NULL ORDER BY id FOR UPDATE`
  return new Set(rows.map(({ id }) => id))
}

/** Locks a person's row, so that passkeys and sessions change one request at a time. */
export async function lockPerson(tx: Db, id: string): Promise<PersonRow | null> {
  await tx.$queryRaw`SELECT 1 FROM person WHERE id = ${id}::uuid FOR UPDATE`
  return await findPerson(tx, id)
}

/** Ends every way in of a person. */
export async function removeLogins(tx: Db, personId: string): Promise<void> {
  await tx.passkey.deleteMany({ where: { personId } })
  await tx.deskSession.deleteMany({ where: { personId } })
  await announceEndedAccess(tx)
}

export function rolesOf({ roles }: { roles: string[] }): DeskRole[] {
  return deskRole.array().parse(roles)
}
