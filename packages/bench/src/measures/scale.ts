import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Bench } from '../bench.ts'
import { spreadEditions } from '../data/edition-keys.ts'
import { explainQueries } from '../data/query-plans.ts'
import { milliseconds, ratioText, spreadText } from '../figures.ts'
import type { Lifetime } from '../lifetime.ts'
import { median } from '../median.ts'
import { type Pair, summarize } from '../pairs.ts'
import { type Api, startApi } from '../processes/api.ts'
import { rawGet } from '../processes/raw-get.ts'
import type { Row } from '../table.ts'

// A notification is here within some 3 ms; whether each one was is counted afterwards.
const forgetMs = 15
// The archive list is loaded again by the process itself; a reader who comes so much later finds it ready.
const reloadMs = 150
// However quiet the machine was, less than this is nothing.
const leastNoise = 1.05

type Temperature = 'warm' | 'cold'
type Question = {
  name: string
  path(site: ScaledSite, index: number): string
  /** What the API calls the answer when it says that it is stale. */
  staleKey(site: ScaledSite, index: number): string
  /** Whether the process loads the answer again by itself once it has become stale. */
  reloadsItself?: boolean
}

/** An API on its database, and keys of editions from all over it. */
type ScaledSite = { api: Api; database: pg.Client; databaseUrl: string; editions: string[] }

type Sites = { week: ScaledSite; again: ScaledSite; decade: ScaledSite }

const questions: Question[] = [
  {
    name: 'time list',
    path: ({ editions }, index) => `/edition/prod/get_time_list/${pick(editions, index).slice(0, 8)}`,
    staleKey: ({ editions }, index) => `times:${pick(editions, index).slice(0, 8)}`,
  },
  {
    name: 'edition',
    path: ({ editions }, index) => `/edition/prod/${pick(editions, index)}`,
    staleKey: ({ editions }, index) => `edition:${pick(editions, index)}`,
  },
  {
    name: 'archive list',
    path: () => '/edition/prod/get_list',
    staleKey: () => 'archive',
    reloadsItself: true,
  },
]

/**
 * What readers ask for, on ten years of editions against one week of them: out of the process's memory, and when everything
 * was just forgotten, so that Postgres is asked. A second server on the same week shows what is mere noise.
 */
export async function measureScale(bench: Bench): Promise<Row[]> {
  const { lifetime, progress } = bench
  return await lifetime.within(async (inner) => {
    const databases = await bench.databases()
    const start = (name: string, databaseUrl: string) =>
      startSite(inner, { name, databaseUrl, dataDir: databases.dataDir })
    const [week, decade] = [await databases.week(), await databases.decade()]
    const sites: Sites = await progress.step('Starting a server for each', async () => ({
      week: await start('scale-week', week),
      again: await start('scale-week-again', week),
      decade: await start('scale-decade', decade),
    }))
    const rows: Row[] = []
    for (const temperature of ['warm', 'cold'] as const) {
      for (const question of questions) rows.push(await compare(bench, sites, question, temperature))
    }
    for (const line of await explainQueries(sites.decade, databases.logFile, askOnce)) progress.say(line)
    return rows
  })

  async function askOnce(site: ScaledSite) {
    await forget(site, '*')
    await pause(forgetMs)
    for (const question of questions) await ask(site, question, 7)
  }
}

async function startSite(
  lifetime: Lifetime,
  options: { name: string; databaseUrl: string; dataDir: string },
): Promise<ScaledSite> {
  const { databaseUrl } = options
  const database = new pg.Client({ connectionString: databaseUrl })
  // Its line is cut when all ends early.
  database.on('error', () => {})
  await database.connect()
  lifetime.atEnd(() => database.end())
  const api = await startApi(lifetime, options)
  return { api, database, databaseUrl, editions: await spreadEditions(databaseUrl, 21) }
}

async function compare(
  { quick, progress }: Bench,
  sites: Sites,
  question: Question,
  temperature: Temperature,
): Promise<Row> {
  const label = `${question.name}, ${describeTemperature(question, temperature)}`
  const run = (site: ScaledSite) =>
    temperature === 'warm' ? runWarm(site, question, quick) : runCold(site, question, quick)
  const { scaled, noise } = await progress.step(label, async () => {
    for (const site of Object.values(sites)) await run(site)
    const scaledPairs: Pair[] = []
    const noisePairs: Pair[] = []
    const rounds = quick ? 3 : 15
    for (let round = 0; round < rounds; round += 1) {
      // Each round goes through the servers in another order, so that none gains by its place.
      const order = [sites.week, sites.decade, sites.again]
      const turned = [...order.slice(round % 3), ...order.slice(0, round % 3)]
      const times = new Map<ScaledSite, number>()
      for (const site of turned) times.set(site, await run(site))
      const at = (site: ScaledSite) => times.get(site) ?? Number.NaN
      scaledPairs.push({ ours: at(sites.decade), other: at(sites.week) })
      noisePairs.push({ ours: at(sites.again), other: at(sites.week) })
    }
    return { scaled: summarize(scaledPairs), noise: summarize(noisePairs) }
  })
  const limit = Math.max(leastNoise, noise.spread[1], 1 / noise.spread[0])
  return {
    measure: `Ten years against a week: ${label}`,
    figure: milliseconds(scaled.ours),
    alternative: `${milliseconds(scaled.other)} one week`,
    ratio: spreadText(scaled.ratio, scaled.spread),
    target: `≤ ${ratioText(limit)} (the week against itself)`,
    passed: scaled.ratio <= limit,
  }
}

function describeTemperature({ reloadsItself }: Question, temperature: Temperature): string {
  if (temperature === 'warm') return 'from memory'
  return reloadsItself === true ? `${reloadMs} ms after it was forgotten` : 'just forgotten'
}

async function runWarm(site: ScaledSite, question: Question, quick: boolean): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < (quick ? 100 : 400); index += 1) times.push(await ask(site, question, index))
  return median(times)
}

async function runCold(site: ScaledSite, question: Question, quick: boolean): Promise<number> {
  const times: number[] = []
  const requests = quick || question.reloadsItself === true ? 8 : 21
  const missesBefore = await countMisses(site.api)
  for (let index = 0; index < requests; index += 1) {
    await forget(site, question.staleKey(site, index))
    await pause(question.reloadsItself === true ? reloadMs : forgetMs)
    times.push(await ask(site, question, index))
  }
  if (question.reloadsItself === true) return median(times)
  const misses = (await countMisses(site.api)) - missesBefore
  if (misses < requests)
    throw new Error(`${requests - misses} of ${requests} answers came from memory after all.`)
  return median(times)
}

async function forget({ database }: ScaledSite, key: string) {
  await database.query("SELECT pg_notify('tidings_stale', $1)", [key])
}

/** How long one answer took, as browsers ask for it, in milliseconds. */
async function ask(site: ScaledSite, { path }: Question, index: number): Promise<number> {
  const { url, cookie } = site.api
  const address = url + path(site, index)
  const began = performance.now()
  const { status } = await rawGet(address, { Cookie: cookie, 'Accept-Encoding': 'gzip, deflate, br' })
  const ms = performance.now() - began
  if (status !== 200) throw new Error(`${address} answered ${status}.`)
  return ms
}

async function countMisses({ url }: Api): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^tidings_cache_reads_total\{outcome="miss"\} (\d+)/m.exec(text)?.[1] ?? 0)
}

function pick(texts: string[], index: number): string {
  const text = texts[index % texts.length]
  if (text === undefined) throw new Error('The database has no editions.')
  return text
}
