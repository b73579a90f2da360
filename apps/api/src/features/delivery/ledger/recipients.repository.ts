import type { CalendarDate } from '@tidings/contracts/edition-key'
import { type DeliveryMethod, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'

/** What decides whether a member receives deliveries, besides the member's own record. */
export type RecipientRules = {
  appId: string
  today: CalendarDate
}

function isOn(field: string): Prisma.Sql {
  return Prisma.sql`coalesce(member.custom_fields->>${field} = 'true', false)`
}

/** One row for each member and method: the address, and what keeps it from being sent. */
export function recipients({ appId, today }: RecipientRules): Prisma.Sql {
  return Prisma.sql`
    SELECT
      member.id, choice.method, choice.address,
      coalesce(member.custom_fields->>'name', '') AS name,
      CASE
        WHEN NOT choice.chosen THEN 'unsubscribed'
        WHEN NOT EXISTS (
          SELECT 1 FROM plan_connection AS plan
          WHERE plan.member_id = member.id AND plan.active
            -- Paid plans always deliver, in their grace period too.
            AND (plan.type <> 'FREE' OR plan.plan_id IN (
              SELECT configured->>'id' FROM membership_app AS app, jsonb_array_elements(app.config->'plans') AS configured
              WHERE app.id = ${appId} AND configured->>'delivers' = 'true'
            ))
        ) THEN 'no-plan'
        WHEN NOT choice.verified THEN 'unverified'
        WHEN suppression.address IS NOT NULL THEN suppression.kind::text
        WHEN member.deliveries_paused_until > ${toDatabaseDate(today)}::date THEN 'paused'
      END AS obstacle
    FROM member
    CROSS JOIN LATERAL (VALUES
      -- The digest replaces the other methods.
      ('memo_email'::delivery_method, ${isOn('getmemomethodbyemail')} AND NOT ${isOn('combinestatus')}, member.email, member.verified),
      ('digest'::delivery_method, ${isOn('combinestatus')}, member.email, member.verified)
    ) AS choice (method, chosen, address, verified)
    LEFT JOIN suppression ON suppression.address = choice.address AND suppression.suppressed_at IS NOT NULL
    WHERE member.app_id = ${appId}`
}

/** Returns what keeps each method from being sent to a member; null for nothing. Without the methods that are off. */
export async function listObstacles(
  db: Db,
  memberId: string,
  rules: RecipientRules,
): Promise<{ method: DeliveryMethod; obstacle: string | null }[]> {
  return await db.$queryRaw`
    SELECT recipient.method, recipient.obstacle FROM (${recipients(rules)}) AS recipient
    WHERE recipient.id = ${memberId} AND recipient.obstacle IS DISTINCT FROM 'unsubscribed'`
}

/** Plans a run: one row for each member with a plan who chose one of the methods, in one statement. */
export async function planDeliveries(
  tx: Db,
  runId: number,
  methods: readonly DeliveryMethod[],
  rules: RecipientRules,
  now: Date,
): Promise<number> {
  return await tx.$executeRaw`
    INSERT INTO delivery (run_id, member_id, method, state, recipient, reason, updated_at)
    SELECT
      ${runId}, recipient.id, recipient.method,
      (CASE WHEN recipient.obstacle IS NULL THEN 'planned' ELSE 'suppressed' END)::delivery_state,
      recipient.address, recipient.obstacle, ${now}
    FROM (${recipients(rules)}) AS recipient
    WHERE recipient.method = ANY(${[...methods]}::delivery_method[])
      AND (recipient.obstacle IS NULL OR recipient.obstacle NOT IN ('unsubscribed', 'no-plan'))
    ORDER BY recipient.id
    ON CONFLICT (run_id, member_id, method) DO NOTHING`
}
