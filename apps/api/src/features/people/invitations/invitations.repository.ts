import type { DeskRole } from '@tidings/contracts/desk/desk'
import type { Invitation, Person } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type InvitationRow = Invitation & { invitedBy: Person | null }

const include = { invitedBy: true } as const

export async function createInvitation(
  tx: Db,
  row: {
    id: string
    email: string
    roles: DeskRole[]
    invitedById: string | null
    createdAt: Date
    expiresAt: Date
  },
): Promise<InvitationRow> {
  return await tx.invitation.create({ data: row, include })
}

export async function findInvitation(db: Db, id: string): Promise<InvitationRow | null> {
  return await db.invitation.findUnique({ where: { id }, include })
}

export async function listOpenInvitations(db: Db, now: Date): Promise<InvitationRow[]> {
  return await db.invitation.findMany({
    where: { endedAt: null, expiresAt: { gt: now } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    include,
  })
}

/** Ends one invitation. Returns false if it is over: only one request can end it. */
export async function endInvitation(tx: Db, id: string, now: Date): Promise<boolean> {
  const { count } = await tx.invitation.updateMany({
    where: { id, endedAt: null, expiresAt: { gt: now } },
    data: { endedAt: now },
  })
  return count === 1
}

/** Ends the open invitations of an address, or those that a person made. */
export async function endInvitations(
  tx: Db,
  which: { email: string } | { invitedById: string },
  now: Date,
): Promise<void> {
  await tx.invitation.updateMany({ where: { ...which, endedAt: null }, data: { endedAt: now } })
}

export async function removeOldInvitations(db: Db, expiredBefore: Date): Promise<void> {
  await db.invitation.deleteMany({ where: { expiresAt: { lte: expiredBefore } } })
}
