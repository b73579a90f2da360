import { urlOf } from '@tidings/contracts/endpoint'
import { getTimeList, listArchive, listMemos } from '@tidings/contracts/routes'
import type pg from 'pg'
import { rawGet } from '../../calls/raw-request.ts'
import { connect } from '../../data/connect.ts'
import { spreadEditions } from '../../data/edition-keys.ts'
import { describePlan, explainQueries } from '../../probes/query-plans.ts'
import type { Lifetime } from '../../programs/lifetime.ts'
import { milliseconds } from '../../results/figures.ts'
import { median } from '../../results/median.ts'
import type { Row } from '../../results/table.ts'
import { type Api, startApi } from '../../sites/api.ts'
import type { Bench } from '../../sites/bench.ts'
import { againstNoiseRow, compareWithNoise, type Sizes } from './against-noise.ts'
import { countMisses, invalidate } from './invalidation.ts'

// The process reloads the archive list itself. After this time it is warm.
const reloadMs = 150
const tables = /\b(edition|memo)\b/

type Temperature = 'warm' | 'cold'
type MeasuredRequest = {
  name: string
  path(site: ScaledSite, index: number): string
  /** Returns the cache key of the response. */
  invalidatedKey(site: ScaledSite, index: number): string
  /** Whether the process reloads the response after an invalidation. */
  reloadsItself?: boolean
}

/** An API with its database, and keys of editions spread over it. */
type ScaledSite = { api: Api; database: pg.Client; databaseUrl: string; editions: string[] }

type Sites = Sizes<ScaledSite>

const measuredRequests: MeasuredRequest[] = [
  {
    name: 'time list',
    path: ({ editions }, index) =>
      urlOf(getTimeList, { params: { date: pick(editions, index).slice(0, 8) } }),
    invalidatedKey: ({ editions }, index) => `times:${pick(editions, index).slice(0, 8)}`,
  },
  {
    name: 'edition',
    path: ({ editions }, index) => urlOf(listMemos, { params: { key: pick(editions, index) } }),
    invalidatedKey: ({ editions }, index) => `edition:${pick(editions, index)}`,
  },
  {
    name: 'archive list',
    path: () => urlOf(listArchive),
    invalidatedKey: () => 'archive',
    reloadsItself: true,
  },
]

/**
 * Compares readers' requests on ten years of editions with one week: from a warm cache, and right after an invalidation.
 * A second site with one week shows the noise.
 */
export async function measureScale(bench: Bench): Promise<Row[]> {
  const { lifetime, progress } = bench
  return await lifetime.within(async (inner) => {
    const databases = await bench.databases()
    const start = (name: string, databaseUrl: string) =>
      startSite(inner, { name, databaseUrl, dataDir: databases.dataDir })
    const [week, decade] = [await databases.week(), await databases.decade()]
    const sites: Sites = await progress.step('Starting a server for each', async () => ({
      small: await start('scale-week', week),
      again: await start('scale-week-again', week),
      large: await start('scale-decade', decade),
    }))
    const rows: Row[] = []
    for (const temperature of ['warm', 'cold'] as const) {
      for (const measured of measuredRequests) rows.push(await compare(bench, sites, measured, temperature))
    }
    const { logFile } = databases
    const queries = await explainQueries(sites.large, { logFile, tables }, requestOnce)
    for (const line of queries.flatMap(describePlan)) progress.say(line)
    return rows
  })

  async function requestOnce(site: ScaledSite) {
    await invalidate(site.database, ['*'])
    for (const measured of measuredRequests) await send(site, measured, 7)
  }
}

async function startSite(
  lifetime: Lifetime,
  options: { name: string; databaseUrl: string; dataDir: string },
): Promise<ScaledSite> {
  const { databaseUrl } = options
  const database = await connect(lifetime, databaseUrl)
  const api = await startApi(lifetime, options)
  return { api, database, databaseUrl, editions: await spreadEditions(databaseUrl, 21) }
}

async function compare(
  { quick, progress }: Bench,
  sites: Sites,
  measured: MeasuredRequest,
  temperature: Temperature,
): Promise<Row> {
  const label = `${measured.name}, ${describeTemperature(measured, temperature)}`
  const run = (site: ScaledSite) =>
    temperature === 'warm' ? runWarm(site, measured, quick) : runCold(site, measured, quick)
  const result = await progress.step(label, async () => {
    for (const site of Object.values(sites)) await run(site)
    return await compareWithNoise(sites, quick ? 3 : 15, run)
  })
  return againstNoiseRow(`Ten years against a week: ${label}`, result, {
    small: 'one week',
    text: milliseconds,
  })
}

function describeTemperature({ reloadsItself }: MeasuredRequest, temperature: Temperature): string {
  if (temperature === 'warm') return 'cached'
  return reloadsItself === true ? `${reloadMs} ms after its invalidation` : 'right after an invalidation'
}

async function runWarm(site: ScaledSite, measured: MeasuredRequest, quick: boolean): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < (quick ? 100 : 400); index += 1) times.push(await send(site, measured, index))
  return median(times)
}

async function runCold(site: ScaledSite, measured: MeasuredRequest, quick: boolean): Promise<number> {
  const times: number[] = []
  const requests = quick || measured.reloadsItself === true ? 8 : 21
  const missesBefore = await countMisses(site.api)
  for (let index = 0; index < requests; index += 1) {
    const wait = measured.reloadsItself === true ? reloadMs : undefined
    await invalidate(site.database, [measured.invalidatedKey(site, index)], wait)
    times.push(await send(site, measured, index))
  }
  if (measured.reloadsItself === true) return median(times)
  const misses = (await countMisses(site.api)) - missesBefore
  if (misses < requests) throw new Error(`${requests - misses} of ${requests} responses came from the cache.`)
  return median(times)
}

/** Returns the milliseconds of one request, as browsers send it. */
async function send(site: ScaledSite, { path }: MeasuredRequest, index: number): Promise<number> {
  const { url, cookie } = site.api
  const address = url + path(site, index)
  const began = performance.now()
  const { status } = await rawGet(address, { Cookie: cookie, 'Accept-Encoding': 'gzip, deflate, br' })
  const ms = performance.now() - began
  if (status !== 200) throw new Error(`${address} responded with ${status}.`)
  return ms
}

function pick(texts: string[], index: number): string {
  const text = texts[index % texts.length]
  if (text === undefined) throw new Error('The database has no editions.')
  return text
}
