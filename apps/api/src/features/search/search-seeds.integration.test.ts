import fc from 'fast-check'
import { expect } from 'vitest'
import { publishedEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'
import { seedArticles, seedDays, todaySets } from '../../../seed/content/index.ts'
import { straighten } from './typed.ts'

type Text = { title: string; content: string }

const it = siteTest({ working: false })
  /** Publishes these texts as memos. Returns their ids. */
  .extend('store', { scope: 'file' }, async ({ site }) => {
    const { edition } = await publishedEdition(site.context, '11-20-26-10AM', 0)
    let stored = 0
    return async (texts: readonly Text[]): Promise<string[]> => {
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
          `SELECT typed FROM unnest($1::uuid[], $2::text[], $3::text[]) AS queries (memo_id, typed, straight)
           JOIN memo_search USING (memo_id), search_query(config, straight) query
           WHERE numnode(query) > 0 AND NOT words @@ query`,
          [
            queries.map(({ id }) => id),
            queries.map(({ typed }) => typed),
            queries.map(({ typed }) => straighten(typed)),
          ],
        )
        return rows.map(({ typed }) => typed)
      },
  )

const seeds: Text[] = [...seedDays.flatMap(({ editions }) => editions), ...todaySets.flat()]
  .flatMap(({ memos }): Text[] => [...memos])
  .concat(seedArticles)

/** Lists all pairs of neighboring words, as a reader types them from what the page shows. */
function neighborsIn({ title, content }: Text): string[] {
  const blocks = [title, ...content.replaceAll(/<\/?(?:a|em|strong)\b[^<>]*>/g, '').split(/<[^<>]*>/)]
  return blocks.flatMap((block) => {
    const shown = block.replaceAll('&nbsp;', '\u00a0').replaceAll('&amp;', '&')
    const words = shown.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
    return words.slice(1).map((word, index) => `${words[index]} ${word}`)
  })
}

it('finds every seeded text by any two neighboring words', async ({ store, listMissed }) => {
  const ids = await store(seeds)
  const queries = seeds.flatMap((text, index) =>
    neighborsIn(text).map((typed) => ({ id: ids[index] ?? '', typed })),
  )
  expect(queries.length).toBeGreaterThan(10_000)
  expect(await listMissed(queries)).toEqual([])
})

// U+00AD and U+200B are left out, because they join words.
const signs = [
  ...' …—–―‐‑−’‘“”„«»‹›•·¿¡§¶†/\\.,;:!?()[]{}+=*@#%_~|"\'-\u00a0\u202f\u2009\u3000\t\n€£™°×→、。',
]
const words = [
  'turbine',
  'harbour',
  'Łukasz',
  'São',
  'naïve',
  'Straße',
  'Αθήνα',
  'Ещё',
  'مهرجان',
  'हिन्दी',
  '東京',
  'ไทย',
  '40',
  '2026',
]

it('finds two words with any signs between them', async ({ store, listMissed }) => {
  const between = fc.string({ unit: fc.constantFrom(...signs), minLength: 1, maxLength: 4 })
  const text = fc.tuple(fc.constantFrom(...words), between, fc.constantFrom(...words))
  const texts = fc.sample(text, { numRuns: 1_000, seed: 30 })
  const ids = await store(
    texts.map((parts) => ({
      title: 'Signs',
      content: `<p>${parts.join('').replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`,
    })),
  )
  const queries = texts.map(([one, , other], index) => ({ id: ids[index] ?? '', typed: `${one} ${other}` }))
  expect(await listMissed(queries)).toEqual([])
})
