import { describe, expect } from 'vitest'
import { createTestDesk } from '../desk.ts'
import { startedTest } from '../sites/started-test.ts'
import { startTestApp } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'
import { fillLargeSite, person, type SiteSize } from './large-site.ts'
import { explainQueries } from './query-plans.ts'

const memo = '00000000-0000-7007-8000-000000000007'

/** The tables that are never read as a whole, and those that a join may hash while they have a few thousand rows. */
const large =
  /^(memo|memo_folded|working_copy|deleted_memo|article|comment_report|member|plan_connection|memo_like|audit_entry|text_version)$/
const small = /^(edition|comment_post|comment_thread|delivery_run|delivery_count)$/
/** The size from which nothing is searched for in all of their deliveries. */
const manyEditions = 5_000

/** Tells how many members there are, beside those that are found. */
const countOfMembers = /COUNT\(\*\).*WHERE "public"\."member"\."app_id" = \$1 OFFSET/

/** The calls of the desk that find something, and a table that one may read as a whole, or only to join another one. */
const calls: readonly [call: string, whole?: string, beside?: string][] = [
  ['GET /editions'],
  ['GET /editions?status=draft'],
  ['GET /editions?status=withdrawn'],
  ['GET /editions?from=2026-09-01&to=2026-09-03'],
  ['GET /editions?q=quagga7'],
  ['GET /editions?q=eu'],
  [`GET /editions?person=${person}`],
  [`GET /editions?person=${person}&q=quagga7`],
  // There are few working copies at a time.
  ['GET /memos', 'working_copy'],
  ['GET /memos?from=2026-09-01&to=2026-09-03', 'working_copy'],
  ['GET /memos?q=quagga7'],
  ['GET /memos?q=weather'],
  ['GET /memos?q=eu'],
  ['GET /memos?q=%E5%A4%A9%E6%B0%94'],
  ['GET /memos?q=%E4%BA%AC'],
  ['GET /memos?status=draft&q=quagga7'],
  [`GET /memos?person=${person}`],
  [`GET /memos?person=${person}&q=eu&status=published`],
  ['GET /deleted-memos'],
  ['GET /deleted-memos?q=quagga7'],
  ['GET /deleted-memos?q=%E5%A4%A9%E6%B0%94'],
  ['GET /articles'],
  ['GET /articles?q=okapi7'],
  [`GET /articles?person=${memo}`],
  ['GET /comments'],
  ['GET /comments?show=reported'],
  ['GET /comments?show=new'],
  ['GET /comments?show=hidden'],
  ['GET /comments?q=gnu7'],
  ['GET /comments?from=2026-09-01&to=2026-09-03'],
  ['GET /comments?q=name15'],
  ['GET /comments/counts'],
  ['GET /comments/cmt_post100'],
  ['POST /members/search {"name":"name499"}'],
  ['POST /members/search {"address":"m77@example.com"}'],
  ['POST /members/search {"member":"mem_000000000000000000000077"}'],
  ['POST /members/search {"suppressed":true}'],
  ['GET /members/mem_000000000000000000000077'],
  // There are few working copies at a time.
  ['GET /needs', 'working_copy'],
  ['GET /audit'],
  ['GET /audit?day=2026-11-19'],
  ['GET /audit?edition=x'],
  [`GET /audit?memo=${memo}`],
  [`GET /audit?memo=${memo}&day=2026-11-19`],
  [`GET /audit?person=${memo}`],
  ['GET /editions/11-19-26-10AM'],
  ['GET /editions/11-19-26-10AM/delivery-report'],
  ['GET /deliveries/progress'],
  // All members are counted by plan.
  ['GET /statistics?days=30', 'member', 'plan_connection'],
  ['GET /article-readers', 'member', 'plan_connection'],
]

/** Tests that the desk finds by index on a site of this size. */
export function testListPlans(size: SiteSize): void {
  const isFoundByIndex = (table: string) =>
    /^comment_(post|thread)$/.test(table) ||
    (size.editions >= manyEditions && /^delivery_(run|count)$/.test(table))
  const it = startedTest(null, async () => {
    const site = await startTestApp({ databaseUrl: await createTestDatabase(), working: false })
    await fillLargeSite(site, size)
    const explain = await explainQueries(site)
    // The first connections after those that were ended can take longer than a request waits.
    const desk = createTestDesk(site)
    const read = async () => (await desk.call('GET', '/editions?limit=1')).statusCode
    await expect.poll(read, { timeout: 60_000 }).not.toBe(503)
    return { site, explain, expectNoErrors() {}, close: site.close }
  })
    .extend('explain', { scope: 'file' }, ({ started }) => started.explain)
    .extend('desk', { scope: 'file' }, ({ started }) => createTestDesk(started.site))

  describe('the desk of a large site', () => {
    it.for(calls)('finds by index: %s', async ([call, whole, beside = whole], { explain, desk }) => {
      const [, method, path = '', body] = /^(\S+) (\S+)(?: (.*))?$/.exec(call) ?? []
      const input = body === undefined ? {} : { body: JSON.parse(body) }

      const queries = await explain(async () => {
        const reply = await desk.call(method === 'POST' ? 'POST' : 'GET', path, input)
        expect(reply.statusCode, reply.body).toBe(200)
      })

      const found = queries.filter(
        ({ text, tables }) =>
          !countOfMembers.test(text) && tables.some((table) => large.test(table) || small.test(table)),
      )
      expect(found.length).toBeGreaterThan(0)
      for (const { text, tables, scanned, searched, steps } of found) {
        const isAllowed = (table: string) =>
          (table === whole || table === beside) && tables.includes(beside ?? '')
        const read = [
          ...scanned.filter((table) => large.test(table) && !isAllowed(table)),
          ...searched.filter(isFoundByIndex),
        ]
        expect(read, `${text}\n${steps.join('\n')}`).toEqual([])
      }
    })
  })
}
