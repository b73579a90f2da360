import { describe, expect } from 'vitest'
import { searchTest } from '#test/search.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'

const it = searchTest({ working: false }).extend(
  'run',
  { scope: 'file' },
  ({ site }) =>
    async (...args: string[]): Promise<string> =>
      (await runInProcess(['search', ...args], site.context.config)).printed,
)

describe('search', () => {
  it('indexes everything that is published again, also twice at once and during an edit', async ({
    site,
    desk,
    search,
    publish,
    run,
  }) => {
    const { db, pool } = site.context.database
    const { ids } = await publish(Array.from({ length: 60 }, (_, index) => ({ title: `Cassowary ${index}` })))
    await desk.addArticle({ title: 'Cassowary', status: 'published' })
    const { key: draft } = await desk.newDraft()
    await desk.addMemo(draft, { title: 'Cassowary in a draft' })
    await pool.query(`UPDATE memo_search SET words = ''`)
    await pool.query('DELETE FROM article_search')
    expect((await search({ q: '"cassowary"' })).data).toEqual([])

    const edit = desk.call('PATCH', `/memos/${ids[0]}`, { body: { title: 'Kiwi' }, ifMatch: '"1"' })
    const [first, second, edited] = await Promise.all([run('reindex'), run('reindex'), edit])

    expect([first, second]).toEqual([
      'Indexed 60 memos and 1 articles.\n',
      'Indexed 60 memos and 1 articles.\n',
    ])
    expect(edited.statusCode).toBe(200)
    const { rows } = await pool.query(`SELECT memo_id FROM memo_search WHERE words @@ 'cassowari'`)
    expect(rows.map(({ memo_id }) => memo_id).sort()).toEqual(ids.slice(1).sort())
    expect((await search({ q: '"kiwi"' })).data.map(({ _id }) => _id)).toEqual([ids[0]])
    expect(await db.articleSearch.count()).toBe(1)
  })
})
