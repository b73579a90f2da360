import { z } from 'zod'
import { type SecureContent, SecureContentType } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'
import type { AccessRule } from './content-access.ts'
import { fail } from './secure-content.errors.ts'

/** A piece of secure content with the key of its group. */
export type SecureContentRow = SecureContent & { group: { key: string } | null }

export type SecureContentSummaryRow = Omit<SecureContentRow, 'content'>

/** The columns that editors set; their HTML is clean. */
export type SecureContentFields = Pick<
  SecureContent,
  'type' | 'content' | 'permissions' | 'plans' | 'groupId'
>

export type SecureContentName = Pick<SecureContent, 'appId' | 'contentId'>

type GuardedContent = Pick<SecureContent, 'type' | 'content'> & {
  rules: AccessRule[]
  planIds: string[]
}

const guardedRowSchema = z.object({
  type: z.enum(SecureContentType),
  content: z.string(),
  permissions: z.array(z.string()),
  plans: z.array(z.string()),
  group_permissions: z.array(z.string()).nullable(),
  group_plans: z.array(z.string()).nullable(),
  held: z.array(z.string()),
})

const withGroup = { group: { select: { key: true } } } as const

/** Returns a piece of content, its rules and a member's plans, from one snapshot. */
export async function findGuardedContent(
  db: Db,
  { appId, contentId }: SecureContentName,
  memberId: string,
): Promise<GuardedContent | null> {
  const [row] = await queryRows(db, guardedRowSchema)`
    SELECT c.type::text AS type, c.content, c.permissions, c.plans,
      g.permissions AS group_permissions, g.plans AS group_plans,
      ARRAY(SELECT p.plan_id FROM plan_connection p WHERE p.member_id = ${memberId} AND p.active) AS held
    FROM secure_content c LEFT JOIN content_group g ON g.id = c.group_id
    WHERE c.app_id = ${appId} AND c.content_id = ${contentId}`
  if (row === undefined) return null
  const { type, content, permissions, plans, held: planIds } = row
  const rules: AccessRule[] = [{ permissions, plans }]
  if (row.group_permissions !== null && row.group_plans !== null) {
    rules.push({ permissions: row.group_permissions, plans: row.group_plans })
  }
  return { type, content, rules, planIds }
}

const planSetSchema = z.object({ plans: z.array(z.string()), members: z.int() })

/** Counts the members of an app by the active plans that they have, also those without any. */
export async function listHeldPlanSets(db: Db, appId: string): Promise<z.infer<typeof planSetSchema>[]> {
  return await queryRows(db, planSetSchema)`
    SELECT plans, count(*)::int AS members FROM (
      SELECT coalesce(array_agg(p.plan_id ORDER BY p.plan_id) FILTER (WHERE p.plan_id IS NOT NULL), '{}') AS plans
      FROM member m LEFT JOIN plan_connection p ON p.member_id = m.id AND p.active
      WHERE m.app_id = ${appId} GROUP BY m.id
    ) held GROUP BY plans`
}

/** Lists the ids of the member's active plans. */
export async function listActivePlans(db: Db, memberId: string): Promise<string[]> {
  const rows = await db.planConnection.findMany({
    where: { memberId, active: true },
    select: { planId: true },
  })
  return rows.map(({ planId }) => planId)
}

/** Lists a page of an app's secure content, by content id. */
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

/** Throws `content-not-found`. */
export async function getSecureContent(db: Db, name: SecureContentName): Promise<SecureContentRow> {
  const content = await db.secureContent.findUnique({ where: { appId_contentId: name }, include: withGroup })
  if (content === null) throw fail('content-not-found')
  return content
}

/** Throws `content-not-found`. */
export async function lockSecureContent(tx: Db, name: SecureContentName): Promise<SecureContentRow> {
  const { appId, contentId } = name
  await tx.$queryRaw`
    SELECT 1 FROM secure_content WHERE app_id = ${appId} AND content_id = ${contentId} FOR UPDATE`
  return await getSecureContent(tx, name)
}

/** Creates it unless its content id is taken. Returns whether it was created. */
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
