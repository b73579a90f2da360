import { urlOf } from '@tidings/contracts/endpoint'
import { getTimeList } from '@tidings/contracts/routes'
import { currentMember, type LoggedIn, logIn, signUp } from '../../calls/membership.ts'
import { rawGet } from '../../calls/raw-request.ts'
import { broadQueriesRow, describePlan, explainQueries } from '../../probes/query-plans.ts'
import type { Lifetime } from '../../programs/lifetime.ts'
import { milliseconds } from '../../results/figures.ts'
import { median } from '../../results/median.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import { type MembersSite, startMembersSite } from '../../sites/members-site.ts'
import { againstNoiseRow, compareWithNoise, type Sizes } from './against-noise.ts'
import { countMisses, invalidate } from './invalidation.ts'

const tables = /\b(member|member_session|member_identity|plan_connection|one_time_code|rate_limit)\b/
const membersInMemory = 60
// A cached response whose loads are counted.
const watched = {
  path: urlOf(getTimeList, { params: { date: '11-20-26' } }),
  invalidatedKey: 'times:11-20-26',
}

/** A site with logged-in members. `turn` counts the requests, so that each is about another member. */
type ScaledSite = MembersSite & { loggedIn: LoggedIn[]; turn: number }

type MeasuredRequest = {
  name: string
  /** Returns the number of requests in one run. */
  times(quick: boolean): number
  /** Prepares a run. */
  before?(site: ScaledSite, times: number): Promise<void>
  /** Sends one request and returns its milliseconds. */
  send(site: ScaledSite): Promise<number>
}

const measuredRequests: MeasuredRequest[] = [
  { name: 'log in', times: () => 4, send: timeLogin },
  { name: 'sign up', times: () => 4, send: timeSignup },
  { name: 'GET /member, cached', times: (quick) => (quick ? 100 : 400), send: timeMemberRead },
  {
    name: 'GET /member, right after an invalidation',
    times: (quick) => (quick ? 8 : 21),
    before: invalidateMembers,
    send: timeMemberRead,
  },
]

/**
 * Compares what members do on a table of a million with one of a thousand. A second site with a thousand shows the noise.
 * Then explains the queries on the million.
 */
export async function measureMembersScale(bench: Bench): Promise<Row[]> {
  const { progress } = bench
  return await bench.lifetime.within(async (lifetime) => {
    const sites: Sizes<ScaledSite> = {
      small: await startSite(bench, lifetime, 'members-few', 'few'),
      again: await startSite(bench, lifetime, 'members-few-again', 'few'),
      large: await startSite(bench, lifetime, 'members-million', 'million'),
    }
    const rows: Row[] = []
    for (const measured of measuredRequests) rows.push(await compare(bench, sites, measured))

    const { logFile } = await bench.databases()
    const queries = await explainQueries(sites.large, { logFile, tables }, requestOnce)
    for (const line of queries.flatMap(describePlan)) progress.say(line)
    return [...rows, broadQueriesRow('of members among a million', queries)]
  })
}

async function startSite(
  bench: Bench,
  lifetime: Lifetime,
  name: string,
  size: 'few' | 'million',
): Promise<ScaledSite> {
  const site = await startMembersSite(bench, lifetime, { name, size })
  const logins = site.emails.slice(0, membersInMemory).map((email) => logIn(site.api.url, email))
  return { ...site, loggedIn: await Promise.all(logins), turn: 0 }
}

async function compare(
  { quick, progress }: Bench,
  sites: Sizes<ScaledSite>,
  measured: MeasuredRequest,
): Promise<Row> {
  const run = async (site: ScaledSite) => {
    const count = measured.times(quick)
    await measured.before?.(site, count)
    const times: number[] = []
    for (let sent = 0; sent < count; sent += 1) times.push(await measured.send(site))
    return median(times)
  }
  const result = await progress.step(measured.name, async () => {
    for (const site of Object.values(sites)) await run(site)
    return await compareWithNoise(sites, quick ? 3 : 15, run)
  })
  return againstNoiseRow(`A million members against a thousand: ${measured.name}`, result, {
    small: 'a thousand',
    text: milliseconds,
  })
}

async function timeLogin(site: ScaledSite): Promise<number> {
  const email = next(site, site.emails)
  return await timed(() => logIn(site.api.url, email))
}

async function timeSignup(site: ScaledSite): Promise<number> {
  site.turn += 1
  const email = `${process.pid}-${site.api.pid}-${site.turn}@newcomers.example`
  return await timed(() => signUp(site.api.url, email))
}

async function timeMemberRead(site: ScaledSite): Promise<number> {
  const loggedIn = next(site, site.loggedIn)
  return await timed(async () => {
    const id = await currentMember(site.api.url, loggedIn)
    if (id !== loggedIn.memberId) throw new Error(`GET /member returned ${id} for ${loggedIn.memberId}.`)
  })
}

/** Invalidates the members of the next requests and checks that they were loaded again. */
async function invalidateMembers(
  { api, database, loggedIn, turn }: ScaledSite,
  times: number,
): Promise<void> {
  const keys = Array.from({ length: times }, (_, ahead) => {
    const { sessionId, memberId } = at(loggedIn, turn + ahead)
    return [`session:${sessionId}`, `member:${memberId}`]
  }).flat()
  const lookAtWatched = () => rawGet(api.url + watched.path, { Cookie: api.cookie })
  await lookAtWatched()
  const missesBefore = await countMisses(api)
  await invalidate(database, [...keys, watched.invalidatedKey])
  await lookAtWatched()
  if ((await countMisses(api)) === missesBefore) throw new Error('The process has invalidated nothing.')
}

async function requestOnce(site: ScaledSite): Promise<void> {
  // The first requests reopen connections.
  await invalidateMembers(site, 1)
  await timeMemberRead(site)
  await timeLogin(site)
  await timeSignup(site)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function next<T>(site: ScaledSite, list: readonly T[]): T {
  const item = at(list, site.turn)
  site.turn += 1
  return item
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('The database has no members.')
  return item
}
