import { expect } from 'vitest'
import { indexTest } from '#test/search.ts'
import { seedArticles, seedDays, todaySets } from './content/index.ts'

type Text = { title: string; content: string }

const it = indexTest()

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
