import { urlOf } from '@tidings/contracts/endpoint'
import { type SearchReply, searchEditions, searchReply } from '@tidings/contracts/search'
import { publishedEdition } from './factories/editions.ts'
import { siteTest } from './fixtures.ts'
import type { TestAppOptions } from './test-app.ts'

/** Returns the `it` of a file whose tests publish memos and search them. */
export function searchTest(options: Partial<TestAppOptions> = {}) {
  return (
    siteTest(options)
      /** Searches with a gate pass. */
      .extend(
        'search',
        { scope: 'file' },
        ({ site }) =>
          async (
            query: Record<string, string>,
            headers: Record<string, string> = {},
          ): Promise<SearchReply> => {
            const url = urlOf(searchEditions, { query })
            const reply = await site.app.inject({ url, headers: { cookie: site.pass, ...headers } })
            if (reply.statusCode !== 200) throw new Error(reply.body)
            return searchReply.parse(reply.json())
          },
      )
      /** Publishes an edition with these memos. Returns its key and the memos' ids. */
      .extend('publish', { scope: 'file' }, ({ desk }) => async (memos: Record<string, unknown>[]) => {
        const { key } = await desk.newDraft()
        const ids: string[] = []
        for (const memo of memos) ids.push((await desk.addMemo(key, memo)).id)
        await desk.publish(key)
        return { key, ids }
      })
  )
}

/** Returns the `it` of a file whose tests ask the index alone, for thousands of searches. */
export function indexTest() {
  return (
    siteTest({ working: false })
      /** Publishes these texts as memos. Returns their ids. */
      .extend('store', { scope: 'file' }, async ({ site }) => {
        const { edition } = await publishedEdition(site.context, '11-20-26-10AM', 0)
        let stored = 0
        return async (texts: readonly { title: string; content: string }[]): Promise<string[]> => {
          const memos = texts.map(({ title, content }, index) => ({
            editionId: edition.id,
            position: stored + index + 1,
            title,
            content,
          }))
          stored += texts.length
          const rows = await site.context.database.db.memo.createManyAndReturn({ data: memos })
          return rows.map(({ id }) => id)
        }
      })
      /** Returns those of the queries that don't find their memo. Those of stop words only are left out. */
      .extend(
        'listMissed',
        { scope: 'file' },
        ({ site }) =>
          async (queries: { id: string; typed: string }[]): Promise<string[]> => {
            const { rows } = await site.context.database.pool.query<{ typed: string }>(
              `SELECT typed FROM unnest($1::uuid[], $2::text[]) AS queries (memo_id, typed)
               JOIN memo_search USING (memo_id), search_query(config, typed) query
               WHERE numnode(query) > 0 AND NOT words @@ query`,
              [queries.map(({ id }) => id), queries.map(({ typed }) => typed)],
            )
            return rows.map(({ typed }) => typed)
          },
      )
  )
}
