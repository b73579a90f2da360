import type { SecureContent } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import type { AccessRule } from './content-access.ts'

/** A piece of secure content as it is stored, with its group's key. */
export type SecureContentRow = SecureContent & { group: { key: string } | null }

/** The same without what it holds. */
export type SecureContentSummaryRow = Omit<SecureContentRow, 'content'>

/** What an editor sets on a piece of secure content; HTML is clean. */
export type SecureContentFields = Pick<
  SecureContent,
  'type' | 'content' | 'permissions' | 'plans' | 'groupId'
>

/** What a piece of secure content is called. */
export type SecureContentName = Pick<SecureContent, 'appId' | 'contentId'>

type GuardedContent = Pick<SecureContent, 'type' | 'content'> & {
  rules: AccessRule[]
  /** The plans that the asking member holds. */
  planIds: string[]
}

type GuardedRow = Pick<SecureContent, 'type' | 'content' | 'permissions' | 'plans'> & {
  group_id: string | null
  group_permissions: string[]
  group_plans: string[]
  held: string[]
}

const withGroup = { group: { select: { key: true } } } as const

/** A piece of content, the rules before it, and what a member holds, all of one moment. */
export async function findGuardedContent(
  db: Db,
  { appId, contentId }: SecureContentName,
  memberId: string,
): Promise<GuardedContent | null> {
  const [row] = await db.$queryRaw<GuardedRow[]>`
    SELECT c.type::text AS type, c.content, c.permissions, c.plans, c.group_id,
      g.permissions AS group_permissions, g.plans AS group_plans,
      ARRAY(SELECT p.plan_id FROM plan_connection p WHERE p.member_id = ${memberId} AND p.active) AS held
    FROM secure_content c LEFT JOIN content_group g ON g.id = c.group_id
    WHERE c.app_id = ${appId} AND c.content_id = ${contentId}`
  if (row === undefined) return null
  const { type, content, permissions, plans, held: planIds } = row
  const group = { permissions: row.group_permissions, plans: row.group_plans }
  return {
    type,
    content,
    rules: [{ permissions, plans }, ...(row.group_id === null ? [] : [group])],
    planIds,
  }
}

/** The ids of the plans that a member holds now. */
export async function listActivePlans(db: Db, memberId: string): Promise<string[]> {
  const rows = await db.planConnection.findMany({
    where: { memberId, active: true },
    select: { planId: true },
  })
  return rows.map(({ planId }) => planId)
}

/** A page of an app's secure content, by content id. */
export async function listSecureContents(
  db: Db,
  appId: string,
  page: { limit: number; after: string | null },
): Promise<SecureContentSummaryRow[]> {
  return await db.secureContent.findMany({
    where: { appId, ...(page.after === null ? {} : { contentId: { gt: page.after } }) },
    orderBy: { contentId: 'asc' },
    take: page.limit,
    omit: { content: true },
    include: withGroup,
  })
}

export async function findSecureContent(db: Db, name: SecureContentName): Promise<SecureContentRow | null> {
  return await db.secureContent.findUnique({ where: { appId_contentId: name }, include: withGroup })
}

export async function lockSecureContent(tx: Db, name: SecureContentName): Promise<SecureContentRow | null> {
  const { appId, contentId } = name
  await tx.$queryRaw`
    SELECT 1 FROM secure_content WHERE app_id = ${appId} AND content_id = ${contentId} FOR UPDATE`
  return await findSecureContent(tx, name)
}

/** Stores it unless its content id is taken; answers whether it did. */
export async function createSecureContentOnce(
  tx: Db,
  name: SecureContentName,
  fields: SecureContentFields,
): Promise<boolean> {
  const { count } = await tx.secureContent.createMany({
    data: [{ ...name, ...fields }],
    skipDuplicates: true,
  })
  return count === 1
}

export async function updateSecureContent(
  tx: Db,
  name: SecureContentName,
  fields: SecureContentFields,
): Promise<SecureContentRow> {
  return await tx.secureContent.update({
    where: { appId_contentId: name },
    data: { ...fields, version: { increment: 1 } },
    include: withGroup,
  })
}

export async function removeSecureContent(tx: Db, name: SecureContentName): Promise<void> {
  await tx.secureContent.delete({ where: { appId_contentId: name } })
}
