import { expect, it, onTestFinished } from 'vitest'
import { publishedEdition } from '../factories/editions.ts'
import { testPlans } from '../factories/plans.ts'
import { createTestMembers } from '../membership.ts'
import { startTestApp, type TestApp, testNow } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'
import { createSharedSite } from './shared-site.ts'

/** Returns how many rows each table has, without empty ones. */
async function countRows({ context }: TestApp): Promise<Record<string, number>> {
  const { pool } = context.database
  const tables = await pool.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'")
  const counts: Record<string, number> = {}
  for (const { name } of tables.rows) {
    const { rowCount } = await pool.query(`SELECT FROM public."${name}"`)
    if (rowCount) counts[name] = rowCount
  }
  return counts
}

/** Returns the editions that readers see, from the cache. */
async function readArchive({ app, pass }: TestApp): Promise<string> {
  return (await app.inject({ url: '/edition/prod/get_list', headers: { cookie: pass } })).body
}

it('a shared site is renewed: the rows, cached values and time of a new site', async () => {
  const shared = createSharedSite(async () => {
    const site = await startTestApp({ databaseUrl: await createTestDatabase() })
    return { site, expectNoErrors: site.expectNoErrors, close: site.close }
  })
  onTestFinished(() => shared.close())
  const { site } = await shared.renew()
  const [rows, archive] = [await countRows(site), await readArchive(site)]
  const ann = { email: 'ann@example.com', plans: [{ planId: testPlans.free }] }
  await createTestMembers(site).signUp(ann)
  await publishedEdition(site.context, '11-01-26-10AM', 2)
  await site.context.invalidation.invalidateAll(site.context.database.db)
  site.clock.pass(24 * 3600 * 1000)
  expect(await countRows(site)).not.toEqual(rows)
  expect(await readArchive(site)).toContain('11-01-26')

  expect((await shared.renew()).site).toBe(site)
  expect(await countRows(site)).toEqual(rows)
  expect(await readArchive(site)).toBe(archive)
  expect(site.clock.now()).toEqual(testNow)
  await createTestMembers(site).signUp(ann)
  site.expectNoErrors()
})
