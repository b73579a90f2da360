import type { Db } from '#platform/database.ts'
import type { FoundMembers } from './report.repository.ts'

/** Finds a member of an app by id. */
export async function findById(db: Db, appId: string, id: string): Promise<FoundMembers> {
  const rows = await db.member.findMany({ where: { id, appId }, select: { id: true } })
  return { memberIds: rows.map((row) => row.id), former: { recipient: '', memberIds: [] } }
}

/** Finds the member of an app who has an address now, and those who had it. */
export async function findByAddress(db: Db, appId: string, email: string): Promise<FoundMembers> {
  const rows = await db.member.findMany({ where: { appId, email }, select: { id: true } })
  return await withFormer(
    db,
    email,
    rows.map(({ id }) => id),
  )
}

/** Finds the members who have a number now, and those who had it. */
export async function findByNumber(db: Db, appId: string, number: string): Promise<FoundMembers> {
  const rows = await db.memberPhone.findMany({
    where: { number, verifiedAt: { not: null }, member: { appId } },
    select: { memberId: true },
    take: maxMembers,
  })
  return await withFormer(
    db,
    number,
    rows.map(({ memberId }) => memberId),
  )
}

// A family may share a number.
const maxMembers = 20

async function withFormer(db: Db, recipient: string, memberIds: string[]): Promise<FoundMembers> {
  const rows = await db.formerRecipient.findMany({
    where: { recipient, memberId: { notIn: memberIds } },
    orderBy: { changedAt: 'desc' },
    select: { memberId: true },
    take: maxMembers,
  })
  return { memberIds, former: { recipient, memberIds: rows.map(({ memberId }) => memberId) } }
}

/** Removes those whose deliveries are no longer kept. */
export async function removeFormerRecipients(db: Db, before: Date): Promise<void> {
  await db.formerRecipient.deleteMany({ where: { changedAt: { lt: before } } })
}
