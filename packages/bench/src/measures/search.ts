import { urlOf } from '@tidings/contracts/endpoint'
import { getGatedArticle, searchEditions } from '@tidings/contracts/routes'
import type pg from 'pg'
import { logIn, membershipSettings, signUp } from '../calls/membership.ts'
import { rawGet } from '../calls/raw-request.ts'
import { connect } from '../data/connect.ts'
import { inventWord } from '../data/paragraphs.ts'
import { describePlan, explainQueries } from '../probes/query-plans.ts'
import { milliseconds } from '../results/figures.ts'
import { median } from '../results/median.ts'
import { takePairs } from '../results/pairs.ts'
import { pairsRow } from '../results/rows.ts'
import type { Row } from '../results/table.ts'
import { startApi } from '../sites/api.ts'
import type { Bench } from '../sites/bench.ts'

const maxRatio = 3
const tables = /\bmemo_search\b/
const email = 'reader@bench.example'

/** Ranks of the searched words, without the commonest ones. */
const ranks = [40, 200, 900, 2_500, 6_000, 12_000, 20_000, 28_000]

/**
 * Compares a visitor's search over ten years of memos with reading one gated article by its primary key. Neither reply is
 * cached.
 */
export async function measureSearch(bench: Bench): Promise<Row[]> {
  const { lifetime, progress, quick } = bench
  return await lifetime.within(async (inner) => {
    const { searchable, dataDir, logFile } = await bench.databases()
    const databaseUrl = await searchable()
    const api = await startApi(inner, { name: 'search', databaseUrl, dataDir, settings: membershipSettings })
    const database = await connect(inner, databaseUrl)

    await signUp(api.url, email)
    const { headers } = await logIn(api.url, email)
    const params = { gatedID: await addArticle(database) }
    const articleUrl = api.url + urlOf(getGatedArticle, { params })
    const get = async (url: string, more: Record<string, string> = {}) => {
      const began = performance.now()
      const { status, body } = await rawGet(url, { Cookie: api.cookie, ...more })
      if (status !== 200) throw new Error(`${url} responded with ${status}: ${body.toString()}`)
      return performance.now() - began
    }
    const searchUrls = searches().map((q) => api.url + urlOf(searchEditions, { query: { q } }))
    const run = async (urls: string[], more?: Record<string, string>) => {
      const times: number[] = []
      for (const url of urls) times.push(await get(url, more))
      return median(times)
    }
    const articleUrls = searchUrls.map(() => articleUrl)
    const pairs = await progress.step('Searching', async () => {
      await run(searchUrls)
      const sides = { ours: () => run(searchUrls), other: () => run(articleUrls, headers) }
      return await takePairs(quick ? 3 : 15, sides)
    })
    const site = { api, database, databaseUrl }
    const queries = await explainQueries(site, { logFile, tables }, async () => {
      await run(searchUrls.slice(0, 3))
    })
    for (const line of queries.flatMap(describePlan)) progress.say(line)
    const measure = 'A search over 80,000 memos against a read by primary key'
    return [pairsRow(measure, pairs, { text: milliseconds, other: 'by primary key', max: maxRatio })]
  })
}

/** Lists single words, pairs of them, and a word that is being typed. */
function searches(): string[] {
  const words = ranks.map(inventWord)
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`)
  return [...words, ...pairs, ...words.slice(3).map((word) => word.slice(0, -1))]
}

async function addArticle(database: pg.Client): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `INSERT INTO article (title, content, status, published_at) VALUES ('Long', $1, 'published', now()) RETURNING id`,
    [`<p>${'Words of an article. '.repeat(500)}</p>`],
  )
  return rows[0]?.id ?? ''
}
