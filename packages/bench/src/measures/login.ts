import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { urlOf } from '@tidings/contracts/endpoint'
import { login } from '@tidings/contracts/membership/routes'
import { listMemos } from '@tidings/contracts/routes'
import type { BareVerify } from '../bare/bare-argon2.ts'
import { appHeaders, memberPassword } from '../calls/membership.ts'
import { busiestEdition } from '../data/edition-keys.ts'
import type { LoginsOrder } from '../load/logins.ts'
import { type PacedReaders, startPacedReaders } from '../load/paced-readers.ts'
import { type Program, startProgram } from '../programs/program.ts'
import { milliseconds, perSecond, ratioText } from '../results/figures.ts'
import { median, quantile } from '../results/median.ts'
import { takePairs } from '../results/pairs.ts'
import { pairPrinter, pairsRow } from '../results/rows.ts'
import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'
import { type MembersSite, startMembersSite } from '../sites/members-site.ts'

const cores = availableParallelism()
// Enough that a password is always waiting.
const loginsAtOnce = 4 * cores
const leadSeconds = 1
const minRatio = 0.9
const readsPerSecond = 200
const maxSlower = 3

/** A site with its drivers: logins and readers of an edition. */
type Scene = { site: MembersSite; logins: Program; readers: PacedReaders; editionUrl: string }

/** Bare argon2, by default or with the memory settings of the site. */
type Bare = { name: string; env: Record<string, string>; min?: number }

const bares: Bare[] = [
  { name: 'argon2 alone', env: {}, min: minRatio },
  {
    name: 'argon2 alone, in large pages that it keeps',
    env: {
      GLIBC_TUNABLES:
        'glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=1073741824',
    },
  },
]

/**
 * Compares the maximum rate of logins with a program that only checks the same hash on all cores, and measures how much
 * logins slow down readers.
 */
export async function measureLogin(bench: Bench): Promise<Row[]> {
  return await bench.lifetime.within(async (lifetime) => {
    const site = await startMembersSite(bench, lifetime, { name: 'login-api', size: 'few' })
    const program = (path: string, env = {}) =>
      startProgram(lifetime, new URL(path, import.meta.url), [], env)
    const key = await busiestEdition(await (await bench.databases()).members('few'))
    const scene: Scene = {
      site,
      logins: program('../load/logins.ts'),
      readers: startPacedReaders(lifetime),
      editionUrl: site.api.url + urlOf(listMemos, { params: { key } }),
    }
    const rows: Row[] = []
    for (const bare of bares) {
      const env = { ...bare.env, UV_THREADPOOL_SIZE: String(cores) }
      rows.push(await compareRates(bench, scene, bare, program('../bare/bare-argon2.ts', env)))
    }
    return [...rows, ...(await compareReads(bench, scene))]
  })
}

async function compareRates(
  { quick, progress }: Bench,
  scene: Scene,
  { name, min }: Bare,
  bare: Program,
): Promise<Row> {
  const seconds = quick ? 3 : 6
  const order: BareVerify = {
    hash: scene.site.passwordHash,
    password: memberPassword,
    atOnce: cores,
    leadSeconds,
    seconds,
  }
  const pairs = await progress.step(`Logging in, against ${name}`, async () => {
    await logInFor(scene, 1)
    return await takePairs(
      quick ? 3 : 7,
      { ours: () => logInFor(scene, seconds), other: () => bare.request<number>(order) },
      pairPrinter(progress.say, perSecond),
    )
  })
  return pairsRow(`Logging in, ${loginsAtOnce} at once`, pairs, { text: perSecond, other: name, min })
}

async function compareReads({ quick, progress }: Bench, scene: Scene): Promise<Row[]> {
  const seconds = quick ? 3 : 6
  const meanwhile: number[] = []
  const medians: { idle: number[]; busy: number[] } = { idle: [], busy: [] }
  const idle = async () => {
    const ms = await readFor(scene, seconds)
    medians.idle.push(median(ms))
    return quantile(ms, 0.99)
  }
  const busy = async () => {
    // They continue until the last reader has a response.
    const logins = logInFor(scene, seconds + 1)
    logins.catch(() => {})
    await pause(leadSeconds * 1_000)
    const ms = await readFor(scene, seconds)
    medians.busy.push(median(ms))
    meanwhile.push(await logins)
    return quantile(ms, 0.99)
  }
  const pairs = await progress.step('Reading an edition meanwhile', async () => {
    await readFor(scene, 1)
    const print = pairPrinter(progress.say, milliseconds, 'idle')
    return await takePairs(quick ? 3 : 7, { ours: busy, other: idle }, print)
  })
  return [
    pairsRow(`GET an edition, ${readsPerSecond}/s, while logins take all cores: p99`, pairs, {
      text: milliseconds,
      other: 'idle',
      max: maxSlower,
    }),
    {
      measure: `its median, with ${perSecond(median(meanwhile))} logins meanwhile`,
      figure: milliseconds(median(medians.busy)),
      alternative: `${milliseconds(median(medians.idle))} idle`,
      ratio: ratioText(median(medians.busy) / median(medians.idle)),
    },
  ]
}

async function logInFor({ site, logins }: Pick<Scene, 'site' | 'logins'>, seconds: number): Promise<number> {
  return await logins.request<number>({
    url: site.api.url + urlOf(login),
    headers: appHeaders,
    emails: site.emails,
    password: memberPassword,
    atOnce: loginsAtOnce,
    leadSeconds,
    seconds,
  } satisfies LoginsOrder)
}

async function readFor({ site, readers, editionUrl }: Scene, seconds: number): Promise<number[]> {
  return await readers.read({
    url: editionUrl,
    headersInTurn: [{ Cookie: site.api.cookie }],
    perSecond: readsPerSecond,
    seconds,
  })
}
