import { parseEmailAddress } from '@tidings/contracts/membership/email-address'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { asObject } from '#platform/free-json.ts'
import { parsePhoneNumber } from '#platform/phone/phone-number.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'
import { matchesWords } from '#platform/text/matches-words.ts'
import { memberIdPrefix } from './members.repository.ts'

/** A member's id, address or phone number in E.164, as an operator knows it, words of the name, or a suppressed address. */
export type MemberClue =
  | { id: string }
  | { email: string }
  | { number: string }
  | { name: string }
  | { suppressed: true }

export type FoundMember = Awaited<ReturnType<typeof listMembersBy>>[number]

/** The part of the members to list, by default of all apps. */
export type MemberPage = { appId?: string | undefined; after?: string | undefined; limit?: number }

const longest = 50

/** Returns the clue that a text is: an id, an address or, with the country code or in a region, a number. */
export function parseMemberClue(text: string, region: string): MemberClue | null {
  if (text.startsWith(`${memberIdPrefix}_`)) return { id: text }
  const email = parseEmailAddress(text)
  if (email !== null) return { email }
  const number = parsePhoneNumber(text, region)
  return number === null ? null : { number }
}

/** Lists the members with an id, an address, also a former one, a phone number, words in the name, or no email. */
export async function listMembersBy(
  db: Db,
  clue: MemberClue,
  { appId, after, limit = longest }: MemberPage = {},
) {
  const page = { appId, after, limit }
  const wanted = await whereOf(db, clue, page)
  const rows = await db.member.findMany({
    where: {
      AND: [wanted, appId === undefined ? {} : { appId }, after === undefined ? {} : { id: { gt: after } }],
    },
    orderBy: { id: 'asc' },
    take: limit,
    select: {
      id: true,
      appId: true,
      email: true,
      formerEmail: true,
      verified: true,
      customFields: true,
      phone: { select: { number: true, verifiedAt: true } },
      createdAt: true,
      lastLoginAt: true,
      stripeCustomerId: true,
      planConnections: { select: { planId: true, type: true, status: true, active: true } },
    },
  })
  return rows.map(({ customFields, ...row }) => ({ ...row, name: memberNameOf(customFields) }))
}

/** Counts the members of an app with a clue, up to a number. */
export async function countMembersBy(
  db: Db,
  clue: MemberClue,
  { appId, most }: { appId: string; most: number },
): Promise<number> {
  const page = { appId, limit: most }
  const condition = conditionOf(clue)
  if (condition !== null) return (await listIds(db, condition, page)).length
  return await db.member.count({ where: { AND: [await whereOf(db, clue, page), { appId }] } })
}

/** Counts the members of an app. */
export async function countMembers(db: Db, appId: string): Promise<number> {
  return await db.member.count({ where: { appId } })
}

/** Returns the name among a member's fields; null without one. */
function memberNameOf(customFields: unknown): string | null {
  const { name } = asObject(customFields)
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : null
}

async function whereOf(db: Db, clue: MemberClue, page: MemberPage): Promise<Prisma.MemberWhereInput> {
  const condition = conditionOf(clue)
  if (condition !== null) return { id: { in: await listIds(db, condition, page) } }
  if ('email' in clue) {
    // With its app, an address is found by index.
    const { email } = clue
    const { appId } = page
    return { OR: [appId === undefined ? { email } : { appId, email }, { formerEmail: email }] }
  }
  return 'id' in clue ? clue : { phone: clue }
}

const isSuppressed = Prisma.sql`
  member.email IN (SELECT address FROM suppression WHERE suppressed_at IS NOT NULL)`

/** Returns the condition of a clue that Prisma can't express; null for the others. */
function conditionOf(clue: MemberClue): Prisma.Sql | null {
  if ('name' in clue) return matchesWords(Prisma.sql`desk_folded(member.custom_fields->>'name')`, clue.name)
  return 'suppressed' in clue ? isSuppressed : null
}

async function listIds(
  db: Db,
  condition: Prisma.Sql,
  { appId, after, limit }: MemberPage,
): Promise<string[]> {
  const conditions = [
    condition,
    ...(appId === undefined ? [] : [Prisma.sql`member.app_id = ${appId}`]),
    ...(after === undefined ? [] : [Prisma.sql`member.id > ${after}`]),
  ]
  const ids = await queryRows(db, idRowSchema)`
    SELECT member.id FROM member WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY member.id LIMIT ${limit}`
  return ids.map(({ id }) => id)
}
