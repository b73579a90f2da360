import { searchReply } from '@tidings/contracts/search'
import { expect } from 'vitest'
import { publishedEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'

// Without jobs, so that only the test indexes texts anew.
const it = siteTest({ env: { SITE_LANGUAGE: 'de' }, working: false })

it("indexes texts without a language in the site's, also those from before it changed", async ({ site }) => {
  const { context, app } = site
  const { edition } = await publishedEdition(context, '11-20-26-10AM', 0)
  const add = (position: number, title: string) =>
    context.database.db.memo.create({ data: { editionId: edition.id, position, title, content: '<p>x</p>' } })
  const count = async () => {
    const reply = await app.inject({ url: '/edition/search?q=%22haus%22', headers: { cookie: site.pass } })
    const { data, similar } = searchReply.parse(reply.json())
    return similar ? 0 : data.length
  }
  // A database that another language was set in.
  await context.database.db.searchSite.updateMany({ data: { language: 'en' } })
  await add(1, 'Alte Häuser')
  await context.database.db.article.create({
    data: { title: 'Häuser', content: '<p>x</p>', status: 'published', publishedAt: site.clock.now() },
  })
  expect(await count()).toBe(0)

  await context.search.followLanguage()
  await add(2, 'Neue Häuser')
  expect(await count()).toBe(1)
  await context.search.reindex()

  expect(await count()).toBe(2)
  const configs = await context.database.db.articleSearch.findMany({ select: { config: true } })
  expect(configs).toEqual([{ config: 'german' }])
})

it('indexes everything again in a database that got another LC_CTYPE', async ({ site }) => {
  const { database, search } = site.context
  await search.followLanguage()
  const waiting = async () => {
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS count FROM jobs.job WHERE name = 'search.reindex'`,
    )
    return rows[0]?.count
  }
  const before = await waiting()
  await search.followLanguage()
  expect(await waiting()).toBe(before)
  await database.db.searchSite.updateMany({ data: { ctype: 'C' } })
  await search.followLanguage()
  expect(await waiting()).toBe(before + 1)
})
