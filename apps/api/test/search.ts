import { type SearchReply, searchReply } from '@tidings/contracts/search'
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
            const url = `/edition/search?${new URLSearchParams(query)}`
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
