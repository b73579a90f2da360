import type { Db } from '#platform/database.ts'
import { testPlans } from '../factories/plans.ts'

/** Stores members with a paid plan: of five, three receive memos by email, one PDFs, and one both. */
export async function fillRecipients(
  db: Db,
  { count, appId }: { count: number; appId: string },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO member (id, app_id, email, verified, custom_fields, terms_accepted_at, created_at)
    SELECT 'mem_' || md5(n::text)::varchar(24), ${appId}, 'reader-' || n || '@example.com', true,
      jsonb_build_object('getmemomethodbyemail', n % 5 <> 1, 'getPDFMethodByEmail', n % 5 < 2), now(), now()
    FROM generate_series(1, ${count}::int) AS n`
  await db.$executeRaw`
    INSERT INTO plan_connection (id, member_id, plan_id, type, price_id, status, active, created_at)
    SELECT 'con_' || md5(id)::varchar(24), id, ${testPlans.monthly}, 'SUBSCRIPTION', 'prc_test', 'ACTIVE', true, now()
    FROM member`
}
