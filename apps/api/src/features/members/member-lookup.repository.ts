import type { Db } from '#platform/database.ts'

/** A member's id, address or phone number in E.164, as an operator knows it. */
export type MemberClue = { id: string } | { email: string } | { number: string }

export type FoundMember = Awaited<ReturnType<typeof listMembersBy>>[number]

const longest = 50

/** Lists the members of all apps with an id, with an address, also a former one, or with a phone number. */
export async function listMembersBy(db: Db, clue: MemberClue) {
  const where =
    'id' in clue
      ? clue
      : 'email' in clue
        ? { OR: [{ email: clue.email }, { formerEmail: clue.email }] }
        : { phone: clue }
  return await db.member.findMany({
    where,
    orderBy: { id: 'asc' },
    take: longest,
    select: {
      id: true,
      appId: true,
      email: true,
      formerEmail: true,
      verified: true,
      phone: { select: { number: true, verifiedAt: true } },
      createdAt: true,
      lastLoginAt: true,
      stripeCustomerId: true,
      planConnections: { select: { planId: true, type: true, status: true, active: true } },
    },
  })
}
