import type { Db } from '#platform/database.ts'
import { testPlans } from '../factories/plans.ts'

/** One that refuses the site until it relents, and one that never does. */
export const blockingDomains = { forAWhile: 'blocked.example', forGood: 'walled.example' } as const

/** The addresses whose mailboxes are full. */
export function fullMailboxes(count: number): string[] {
  return Array.from(
    { length: Math.floor(count / 100) },
    (_, index) => `full-${100 * (index + 1)}@example.com`,
  )
}

/**
 * Stores members with a paid plan: of five, three receive memos by email, one PDFs, and one both. They are at many domains, of
 * which two refuse the site, and some have a full mailbox.
 */
export async function fillRecipients(
  db: Db,
  { count, appId }: { count: number; appId: string },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO member (id, app_id, email, verified, custom_fields, terms_accepted_at, created_at)
    SELECT 'mem_' || md5(n::text)::varchar(24), ${appId}, 
      CASE
        WHEN n % 100 = 0 THEN 'full-' || n || '@example.com'
        ELSE 'reader-' || n || '@' || CASE n % 20
          WHEN 1 THEN ${blockingDomains.forAWhile}
          WHEN 2 THEN ${blockingDomains.forGood}
          ELSE 'domain-' || n % 20 || '.example'
        END
      END, true,
      jsonb_build_object('getmemomethodbyemail', n % 5 <> 1, 'getPDFMethodByEmail', n % 5 < 2), now(), now()
    FROM generate_series(1, ${count}::int) AS n`
  await db.$executeRaw`
    INSERT INTO plan_connection (id, member_id, plan_id, type, price_id, status, active, created_at)
    SELECT 'con_' || md5(id)::varchar(24), id, ${testPlans.monthly}, 'SUBSCRIPTION', 'prc_test', 'ACTIVE', true, now()
    FROM member`
}
