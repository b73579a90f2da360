import { z } from 'zod'
import { Prisma, type RenewalNotice } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'
import { noticeDays } from './renewal-notice.ts'

const dueRenewalSchema = z.object({
  connectionId: z.string(),
  memberId: z.string(),
  appId: z.string(),
  customerId: z.string(),
  subscriptionId: z.string(),
  periodEndsAt: z.date(),
})

/** A renewal to preview at Stripe. */
export type DueRenewal = z.infer<typeof dueRenewalSchema>

/** Where a page begins; null for the first one. */
export type Cursor = Pick<DueRenewal, 'periodEndsAt' | 'connectionId'>

type DuePage = { now: Date; after: Cursor | null; limit: number }

const dayMs = 24 * 3_600_000
// The tax of a place may change without an event.
const checkedForMs = 7 * dayMs

/**
 * Returns a page of the renewals that may need a notice, soonest first: those not previewed for a week or since the last
 * sync of their customer. Those whose time has passed are left out, unless a notice may need a correction.
 */
export async function listDueRenewals(db: Db, page: DuePage): Promise<DueRenewal[]> {
  return await queryRows(db, dueRenewalSchema)`${dueRenewals(page)}`
}

/** The statement of {@link listDueRenewals}. Its lateral joins read a page in the index's order, instead of all customers. */
export function dueRenewals({ now, after, limit }: DuePage): Prisma.Sql {
  const { yearly, priceChange } = noticeDays
  const inDays = (days: number) => new Date(now.getTime() + days * dayMs)
  const { periodEndsAt: from, connectionId: afterId } = after ?? { periodEndsAt: now, connectionId: '' }
  return Prisma.sql`
    SELECT plan.id AS "connectionId", plan.member_id AS "memberId", customer.app_id AS "appId",
      customer.id AS "customerId", plan.subscription_id AS "subscriptionId", plan.period_ends_at AS "periodEndsAt"
    FROM plan_connection plan
    JOIN LATERAL (SELECT * FROM payment_customer WHERE member_id = plan.member_id LIMIT 1) customer ON true
    LEFT JOIN LATERAL (
      SELECT * FROM renewal_notice WHERE subscription_id = plan.subscription_id LIMIT 1
    ) notice ON true
    WHERE plan.subscription_id IS NOT NULL AND plan.ends_at IS NULL AND plan.status IN ('ACTIVE', 'TRIALING')
      AND (plan.period_ends_at, plan.id) > (${from}, ${afterId}) AND plan.period_ends_at <= ${inDays(yearly.first)}
      AND (plan.interval = 'YEARLY' OR plan.period_ends_at <= ${inDays(priceChange.first)} OR notice.renews_at > ${now})
      AND (plan.period_ends_at >= ${inDays(priceChange.last)} OR notice.renews_at > ${now})
      AND (notice.checked_at IS NULL OR notice.checked_at NOT BETWEEN ${new Date(now.getTime() - checkedForMs)} AND ${now}
        OR notice.checked_at <= customer.synced_at)
    ORDER BY plan.period_ends_at, plan.id LIMIT ${limit}`
}

/** Locks the last notice to a member about a subscription. */
export async function lockNotice(
  tx: Db,
  { subscriptionId, memberId }: Pick<DueRenewal, 'subscriptionId' | 'memberId'>,
  now: Date,
): Promise<RenewalNotice> {
  await tx.renewalNotice.createMany({
    data: [{ subscriptionId, memberId, checkedAt: now }],
    skipDuplicates: true,
  })
  await tx.$queryRaw`SELECT 1 FROM renewal_notice WHERE subscription_id = ${subscriptionId} FOR UPDATE`
  return await tx.renewalNotice.findUniqueOrThrow({ where: { subscriptionId } })
}

export async function markChecked(tx: Db, subscriptionId: string, checkedAt: Date): Promise<void> {
  await tx.renewalNotice.update({ where: { subscriptionId }, data: { checkedAt } })
}

/** Stores a new notice. Returns how many there were for the subscription, with this one. */
export async function storeNotice(
  tx: Db,
  { subscriptionId, ...told }: Pick<RenewalNotice, 'subscriptionId' | 'renewsAt' | 'amount' | 'currency'>,
): Promise<number> {
  const data = { ...told, notices: { increment: 1 } }
  const { notices } = await tx.renewalNotice.update({ where: { subscriptionId }, data })
  return notices
}
