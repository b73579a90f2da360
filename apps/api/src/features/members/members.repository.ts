import { planConnectionSchema } from '@tidings/contracts/membership/members'
import { z } from 'zod'
import { type Member, PdfFormat, Prisma } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'

export const memberIdPrefix = 'mem'

const connectionRowSchema = z.object({
  id: z.string(),
  planId: z.string(),
  type: planConnectionSchema.shape.type,
  status: z.string(),
  active: z.boolean(),
  priceId: z.string().nullable(),
  amount: z.int().nullable(),
  currency: z.string().nullable(),
  interval: z.enum(['MONTHLY', 'YEARLY']).nullable(),
  lastBilledAt: z.string().nullable(),
  periodEndsAt: z.string().nullable(),
  endsAt: z.string().nullable(),
  nextPriceId: z.string().nullable(),
  /** JSON of a renewal in minor units. */
  renewal: z.unknown(),
  adjustedBy: z.string().nullable(),
})

/** A plan connection. Its type is stored in wire format. */
export type ConnectionRow = z.infer<typeof connectionRowSchema>

const memberRowSchema = z.object({
  id: z.string(),
  appId: z.string(),
  email: z.string(),
  formerEmail: z.string().nullable(),
  verified: z.boolean(),
  passwordHash: z.string().nullable(),
  customFields: z.unknown(),
  metaData: z.unknown(),
  json: z.unknown(),
  profileImage: z.string().nullable(),
  stripeCustomerId: z.string().nullable(),
  lastLoginAt: z.date().nullable(),
  lastUsedAt: z.date().nullable(),
  termsAcceptedAt: z.date(),
  termsOrigin: z.string(),
  commentsHiddenAt: z.date().nullable(),
  deliveriesPausedUntil: z.date().nullable(),
  pdfFormat: z.enum(PdfFormat),
  linkVersion: z.int(),
  createdAt: z.date(),
  updatedAt: z.date(),
  identities: z.array(z.object({ provider: z.string() })),
  planConnections: z.array(connectionRowSchema),
})

/** A member with identities and plan connections, oldest first. */
export type MemberRow = z.infer<typeof memberRowSchema>

type NewMember = Pick<
  Member,
  'id' | 'appId' | 'email' | 'verified' | 'passwordHash' | 'termsAcceptedAt' | 'termsOrigin' | 'createdAt'
> & { customFields: object; metaData: object }

export async function findMember(db: Db, id: string): Promise<MemberRow | null> {
  return await findWhole(db, Prisma.sql`member.id = ${id}`)
}

export async function findMemberByEmail(db: Db, appId: string, email: string): Promise<MemberRow | null> {
  return await findWhole(db, Prisma.sql`member.app_id = ${appId} AND member.email = ${email}`)
}

/** Reads everything in one statement, because each login waits for it. */
async function findWhole(db: Db, where: Prisma.Sql): Promise<MemberRow | null> {
  const [row] = await queryRows(db, memberRowSchema)`
    SELECT
      id, app_id AS "appId", email, former_email AS "formerEmail", verified, password_hash AS "passwordHash", custom_fields AS "customFields",
      meta_data AS "metaData", json, profile_image AS "profileImage", stripe_customer_id AS "stripeCustomerId",
      last_login_at AS "lastLoginAt", last_used_at AS "lastUsedAt", terms_accepted_at AS "termsAcceptedAt", terms_origin AS "termsOrigin",
      comments_hidden_at AS "commentsHiddenAt", deliveries_paused_until AS "deliveriesPausedUntil", pdf_format AS "pdfFormat", link_version AS "linkVersion", created_at AS "createdAt", updated_at AS "updatedAt",
      (
        SELECT coalesce(jsonb_agg(jsonb_build_object('provider', provider) ORDER BY created_at), '[]')
        FROM member_identity WHERE member_id = member.id
      ) AS identities,
      (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
          'id', id, 'planId', plan_id, 'type', type, 'status', status, 'active', active,
          'priceId', price_id, 'amount', amount, 'currency', currency, 'interval', "interval",
          'lastBilledAt', last_billed_at, 'periodEndsAt', period_ends_at, 'endsAt', ends_at, 'nextPriceId', next_price_id,
          'renewal', renewal, 'adjustedBy', adjusted_by
        ) ORDER BY created_at), '[]')
        FROM plan_connection WHERE member_id = member.id
      ) AS "planConnections"
    FROM member WHERE ${where}`
  return row ?? null
}

/** Stores a member; returns false when the email address is taken. */
export async function createMember(tx: Db, member: NewMember): Promise<boolean> {
  const { count } = await tx.member.createMany({
    data: [{ ...member, customFields: toJson(member.customFields), metaData: toJson(member.metaData) }],
    skipDuplicates: true,
  })
  if (count === 0) return false
  // Read after the insert, which waits for the transaction that deletes a member with this address.
  if (!(await isAddressHeld(tx, member.appId, member.email))) return true
  await tx.member.delete({ where: { id: member.id }, select: { id: true } })
  return false
}

/** Returns whether a deleted account still has the address, because its payments are not settled. */
export async function isAddressHeld(db: Db, appId: string, email: string): Promise<boolean> {
  return (await db.accountDeletion.count({ where: { appId, email } })) > 0
}

/** Locks a member's row until the transaction ends. */
export async function lockMember(tx: Db, id: string): Promise<MemberRow | null> {
  await tx.$queryRaw`SELECT 1 FROM member WHERE id = ${id} FOR UPDATE`
  return await findMember(tx, id)
}

/**
 * Locks a member by address as {@link lockMember} does. Locking before verification keeps a concurrent email change from
 * being verified instead.
 */
export async function lockMemberByEmail(tx: Db, appId: string, email: string): Promise<MemberRow | null> {
  const [row] = await queryRows(tx, idRowSchema)`
    SELECT id FROM member WHERE app_id = ${appId} AND email = ${email} FOR UPDATE`
  return row === undefined ? null : await findMember(tx, row.id)
}

type MemberChange = Partial<
  Pick<Member, 'email' | 'formerEmail' | 'verified' | 'passwordHash' | 'profileImage' | 'lastLoginAt'>
> & { customFields?: object; json?: unknown }

export async function updateMember(tx: Db, id: string, change: MemberChange): Promise<void> {
  const { customFields, json, ...columns } = change
  await tx.member.update({
    where: { id },
    data: {
      ...columns,
      ...(customFields !== undefined && { customFields: toJson(customFields) }),
      ...(json !== undefined && { json: JSON.parse(JSON.stringify(json)) }),
    },
    select: { id: true },
  })
}

/** Sets an unverified address and keeps the last verified one; false when taken: abort the transaction then. */
export async function changeEmail(tx: Db, row: MemberRow, email: string): Promise<boolean> {
  const former = row.verified ? row.email : (row.formerEmail ?? row.email)
  try {
    await updateMember(tx, row.id, { email, formerEmail: former === email ? null : former, verified: false })
    if (await isAddressHeld(tx, row.appId, email)) return false
    await endPreferencesLinks(tx, row.id)
    return true
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return false
    throw error
  }
}

/** Ends the links to the preferences that were emailed so far: they may be in another person's inbox. */
export async function endPreferencesLinks(tx: Db, memberId: string): Promise<void> {
  await tx.member.update({
    where: { id: memberId },
    data: { linkVersion: { increment: 1 } },
    select: { id: true },
  })
}

/** Serializes member removals: the comment count triggers of two members who replied to each other deadlock. */
export async function lockRemovals(tx: Db): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('member removal', 0))::text`
}

/** Removes a member's number with its code and the consent to texts. Returns whether it was verified. */
export async function removePhone(tx: Db, memberId: string): Promise<boolean> {
  const verified = await tx.memberPhone.count({ where: { memberId, verifiedAt: { not: null } } })
  await tx.memberPhone.deleteMany({ where: { memberId } })
  return verified > 0
}

/** Removes the browsers that a member's notifications go to. Returns how many. */
export async function removePushDevices(tx: Db, memberId: string): Promise<number> {
  return (await tx.pushDevice.deleteMany({ where: { memberId } })).count
}

/** Removes the notified browsers of a member whose session has expired. The others end with their sessions. */
export async function removeExpiredPushDevices(tx: Db, memberId: string): Promise<void> {
  await tx.pushDevice.deleteMany({ where: { memberId, sessionId: null } })
}

/** Deletes a member and, by cascade, everything that belongs to them. */
export async function removeMember(
  tx: Db,
  { id, appId, email }: Pick<Member, 'id' | 'appId' | 'email'>,
): Promise<void> {
  // The code rows stay for the email limits, so that repeated sign-up and deletion can't flood an inbox.
  await tx.oneTimeCode.updateMany({ where: { appId, email }, data: { codeHash: null, lookupHash: null } })
  await lockDiscussedPosts(tx, id)
  await tx.member.delete({ where: { id }, select: { id: true } })
}

/** Locks posts before threads and votes, in id order, as post deletion does. */
async function lockDiscussedPosts(tx: Db, id: string): Promise<void> {
  await tx.$queryRaw`
    SELECT post.id FROM comment_post post
    WHERE post.id IN (
      SELECT own.id FROM comment_post own WHERE own.member_id = ${id}
      UNION SELECT vote.post_id FROM comment_post_vote vote WHERE vote.member_id = ${id}
      UNION SELECT thread.post_id FROM comment_thread thread WHERE thread.member_id = ${id}
      UNION SELECT thread.post_id FROM comment_thread thread
        JOIN comment_thread_vote vote ON vote.thread_id = thread.id WHERE vote.member_id = ${id}
    )
    ORDER BY post.id FOR UPDATE OF post`
}

export async function listSessionIds(db: Db, memberId: string): Promise<string[]> {
  const rows = await db.memberSession.findMany({ where: { memberId }, select: { id: true } })
  return rows.map(({ id }) => id)
}

export async function isProfileImage(db: Db, file: string): Promise<boolean> {
  return (await db.member.findFirst({ where: { profileImage: file }, select: { id: true } })) !== null
}
