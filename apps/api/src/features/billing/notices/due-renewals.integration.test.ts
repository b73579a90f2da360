import { describe, expect } from 'vitest'
import { z } from 'zod'
import { queryRows } from '#platform/query-rows.ts'
import { siteTest } from '#test/fixtures.ts'
import { testNow } from '#test/test-app.ts'
import { dueRenewals, listDueRenewals } from './renewal-notices.repository.ts'

const memberCount = 20_000

const it = siteTest({ working: false, env: {} })
  /** The database with yearly and monthly plans that renew on every day of the next year. */
  .extend('filled', { scope: 'file' }, async ({ site, db }) => {
    const { appId } = site.context.config.site
    await db.$executeRaw`
      INSERT INTO member (id, app_id, email, verified, terms_accepted_at, created_at)
      SELECT 'mem_' || n, ${appId}, n || '@example.com', true, ${testNow}, ${testNow} FROM generate_series(1, ${memberCount}::int) n`
    await db.$executeRaw`
      INSERT INTO payment_customer (id, app_id, member_id, created_at)
      SELECT 'cus_' || n, ${appId}, 'mem_' || n, ${testNow} FROM generate_series(1, ${memberCount}::int) n`
    await db.$executeRaw`
      INSERT INTO plan_connection (id, member_id, plan_id, type, status, created_at, subscription_id, price_id, amount, currency,
        "interval", period_ends_at)
      SELECT 'con_' || n, 'mem_' || n, 'pln_paid', 'SUBSCRIPTION', 'ACTIVE', ${testNow}, 'sub_' || n, 'prc_paid', 499, 'usd',
        (CASE n % 2 WHEN 0 THEN 'YEARLY' ELSE 'MONTHLY' END)::billing_interval,
        ${testNow}::timestamptz + (n % 365) * interval '1 day' + interval '1 hour'
      FROM generate_series(1, ${memberCount}::int) n`
    await db.$executeRaw`
      INSERT INTO renewal_notice (subscription_id, member_id, checked_at)
      SELECT 'sub_' || n, 'mem_' || n, ${testNow} FROM generate_series(1, ${memberCount}::int, 3) n`
    await db.$executeRaw`ANALYZE`
    return db
  })

describe('the renewals that may need a notice', () => {
  it('are read from an index, a page at a time, however many plans there are', async ({ filled }) => {
    const page = { now: testNow, after: null, limit: 200 }
    const lines = await queryRows(filled, z.object({ 'QUERY PLAN': z.string() }))`
      EXPLAIN (ANALYZE, COSTS OFF) ${dueRenewals(page)}`
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
    expect(plan).toContain('Index Scan using plan_connection_renewal_idx')
    expect(plan).not.toMatch(/Seq Scan|Sort/)
  })

  it('are each on one page, soonest first', async ({ filled }) => {
    const all = []
    for (let after = null; ; ) {
      const page = await listDueRenewals(filled, { now: testNow, after, limit: 200 })
      all.push(...page)
      after = page.at(-1) ?? null
      if (page.length < 200) break
    }
    const days = all.map(
      ({ periodEndsAt }) => (periodEndsAt.getTime() - testNow.getTime()) / (24 * 3_600_000),
    )
    expect(days).toEqual(days.toSorted((one, other) => one - other))
    expect([Math.floor(days[0] ?? 0), Math.floor(days.at(-1) ?? 0)]).toEqual([8, 29])
    expect(new Set(all.map(({ subscriptionId }) => subscriptionId)).size).toBe(all.length)
    // Two thirds were not checked today: all plans for 13 days, and the yearly ones for 9 more.
    expect(all.length).toBeGreaterThan(600)
    expect(all.length).toBeLessThan(700)
  })
})
