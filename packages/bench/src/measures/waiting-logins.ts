import { setTimeout as pause } from 'node:timers/promises'
import { urlOf } from '@tidings/contracts/endpoint'
import { login } from '@tidings/contracts/membership/routes'
import { appHeaders, memberPassword } from '../calls/membership.ts'
import { runFirst } from '../load/paced-readers.ts'
import type { TimedLogin, TimedLoginsOrder } from '../load/timed-logins.ts'
import type { Lifetime } from '../programs/lifetime.ts'
import { type Program, startProgram } from '../programs/program.ts'
import { milliseconds } from '../results/figures.ts'
import { quantile } from '../results/median.ts'
import { type Pairs, takePairs } from '../results/pairs.ts'
import { limitRow, pairPrinter, pairsRow } from '../results/rows.ts'
import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'
import { type MembersSite, startMembersSite } from '../sites/members-site.ts'

type Login = TimedLoginsOrder['logins'][number]
type Times = (logins: Login[]) => Promise<number[]>

const floodingNetworks = 10
// Each network's logins of a minute, which the site allows.
const loginsOfNetwork = 60
const busyProcesses = 4
const leadMs = 250
// The time that a rejected login counts as.
const rejectedMs = 10_000
const floodSeconds = 12
// The hashes of ten others and the own one, at two at once on shared cores.
const maxSlower = { flooded: 15, busy: 5 }
const maxMs = 5_000
// Networks of an earlier flood have used up their logins of the minute.
let floods = 0

/** Measures a member's login from a new network while ten networks log in as often as the site allows, against idle. */
export async function measureLoginFlood(bench: Bench): Promise<Row[]> {
  return await bench.lifetime.within(async (lifetime) => {
    const { site, order, times } = await startTimedLogins(bench, lifetime, 'login-flood-api')
    const program = startProgram(lifetime, new URL('../load/timed-logins.ts', import.meta.url))
    const flood = { site, order, program, times }
    const steady = await comparePairs(bench, site, {
      beside: besideFlood(flood, 'steady').times,
      idle: times,
    })
    const burst = besideFlood(flood, 'burst')
    const bursts = await comparePairs(bench, site, { beside: burst.times, idle: times })
    const { slowest, hashed } = burst
    const sent = floodingNetworks * loginsOfNetwork
    return [
      pairsRow('Login from a new network while ten networks send 60 a minute each: p95', steady, {
        text: milliseconds,
        other: 'idle',
        max: maxSlower.flooded,
      }),
      pairsRow(`the same while they send these ${sent} at once: p95`, bursts, {
        text: milliseconds,
        other: 'idle',
        max: maxSlower.flooded,
      }),
      limitRow('the slowest login of these', Math.max(...slowest), maxMs, milliseconds),
      { measure: 'logins at once that were hashed', figure: `${hashed.join(', ')} of ${sent}` },
    ]
  })
}

type Flood = {
  site: MembersSite
  order: Omit<TimedLoginsOrder, 'logins' | 'gapMs'>
  program: Program
  times: Times
}

/** Returns logins beside those of ten networks, and what was noticed: their slowest time, and the hashes of the ten. */
function besideFlood({ site, order, program, times }: Flood, kind: 'steady' | 'burst') {
  const slowest: number[] = []
  const hashed: number[] = []
  return {
    slowest,
    hashed,
    async times(logins: Login[]): Promise<number[]> {
      floods += 1
      const attack = attackOf(site, floods)
      const perSecond = (floodingNetworks * loginsOfNetwork) / 60
      const sent = kind === 'burst' ? attack.logins : attack.logins.slice(0, floodSeconds * perSecond)
      const flooded = program.request<TimedLogin[]>({
        ...order,
        ...attack,
        logins: sent,
        gapMs: kind === 'burst' ? 0 : 1_000 / perSecond,
      } satisfies TimedLoginsOrder)
      flooded.catch(() => {})
      await pause(leadMs)
      const ms = await times(logins)
      slowest.push(Math.max(...ms))
      hashed.push((await flooded).filter(({ status }) => status === 401).length)
      return ms
    },
  }
}

/** Measures a member's login beside processes that use all cores, against idle. */
export async function measureLoginBusy(bench: Bench): Promise<Row[]> {
  return await bench.lifetime.within(async (lifetime) => {
    const { site, times } = await startTimedLogins(bench, lifetime, 'login-busy-api')
    const beside: Times = (logins) =>
      lifetime.within(async (inner) => {
        const program = new URL('../load/busy-process.ts', import.meta.url)
        for (let index = 0; index < busyProcesses; index += 1) startProgram(inner, program)
        await pause(leadMs)
        return await times(logins)
      })
    const pairs = await comparePairs(bench, site, { beside, idle: times })
    return [
      pairsRow(`Login beside ${busyProcesses} busy processes: p95`, pairs, {
        text: milliseconds,
        other: 'idle',
        max: maxSlower.busy,
      }),
    ]
  })
}

/** Starts a site behind a proxy, with the limits of production, and a program that times logins. */
async function startTimedLogins(bench: Bench, lifetime: Lifetime, name: string) {
  const settings = { TRUST_PROXY: 'on', RATE_LOGINS_PER_MINUTE: String(loginsOfNetwork) }
  const site = await startMembersSite(bench, lifetime, { name, size: 'few', settings })
  const program: Program = startProgram(lifetime, new URL('../load/timed-logins.ts', import.meta.url))
  runFirst(program.pid)
  const order = { url: site.api.url + urlOf(login), headers: appHeaders, password: memberPassword }
  async function times(logins: Login[]): Promise<number[]> {
    const replies = await program.request<TimedLogin[]>({
      ...order,
      logins,
      gapMs: null,
    } satisfies TimedLoginsOrder)
    return replies.map(({ status, ms }) => (status === 200 ? ms : rejectedMs))
  }
  await times(honestLogins(site, 0, 2))
  return { site, order, times }
}

/** Takes pairs of the p95 of logins beside something and idle, each login from a network of its own. */
async function comparePairs(
  { quick, progress }: Bench,
  site: MembersSite,
  { beside, idle }: { beside: Times; idle: Times },
): Promise<Pairs> {
  const count = quick ? 6 : 12
  let taken = 1
  const p95Of = async (times: Times) => {
    taken += 1
    return quantile(await times(honestLogins(site, taken, count)), 0.95)
  }
  return await progress.step('Logging in', () =>
    takePairs(
      quick ? 2 : 7,
      { ours: () => p95Of(beside), other: () => p95Of(idle) },
      pairPrinter(progress.say, milliseconds, 'idle'),
    ),
  )
}

function honestLogins({ emails }: MembersSite, round: number, count: number): Login[] {
  return Array.from({ length: count }, (_, index) => ({
    network: `10.1.${round}.${index}`,
    // The attack is on the second half.
    email: emails[(round * count + index) % Math.floor(emails.length / 2)] ?? '',
  }))
}

/** The wrong passwords of one round, from ten networks that no other round uses. */
function attackOf({ emails }: MembersSite, round: number): Pick<TimedLoginsOrder, 'logins' | 'password'> {
  const attacked = emails.slice(Math.floor(emails.length / 2))
  const logins = Array.from({ length: floodingNetworks * loginsOfNetwork }, (_, index) => ({
    network: `10.2.${round}.${index % floodingNetworks}`,
    email: attacked[(index * 7 + round) % attacked.length] ?? '',
  }))
  return { logins, password: 'not the password of any member' }
}
