import { setTimeout as pause } from 'node:timers/promises'
import type { BareWebhooks } from '../bare/bare-webhooks.ts'
import type { Bench } from '../bench.ts'
import { appHeaders, logIn } from '../calls/membership.ts'
import { busiestEdition } from '../data/edition-keys.ts'
import { eventsEach } from '../load/events/storm.ts'
import type { Storm, StormOrder } from '../load/events/webhooks.ts'
import { type PacedReaders, startPacedReaders } from '../load/paced-readers.ts'
import type { PacedReadsOrder } from '../load/paced-reads.ts'
import { type Program, startProgram } from '../programs/program.ts'
import { milliseconds, perSecond, ratioText, spreadText, whole } from '../results/figures.ts'
import { median, quantile } from '../results/median.ts'
import { type Pairs, ratioOf, summarize, takePairs } from '../results/pairs.ts'
import type { Row } from '../results/table.ts'
import { type PaymentsSite, startPaymentsSite } from '../sites/payments-site.ts'
import { webhookSecret } from '../sites/stand-in.ts'

const webhookRoute = '/webhooks/stripe'
const customersABurst = 100
// As many deliveries under way as a busy account of Stripe's has.
const atOnce = 8
const readsPerSecond = 100
const readingMembers = 50
const leadSeconds = 0.5
const mostSlower = 3
const mostCallsAnEvent = 0.3
const mostAnswerMs = 2_000

/** Who reads what meanwhile. */
type Reading = {
  name: string
  readers: PacedReaders
  order: Pick<PacedReadsOrder, 'url' | 'headersInTurn'>
}
type Scene = { site: PaymentsSite; events: Program; readings: Reading[] }

/** What one storm came to. `callsAnEvent` are those at Stripe. */
type Weather = { storm: Storm; drainSeconds: number; callsAnEvent: number }

/**
 * A storm of events about many customers whose subscriptions have all just changed: how soon and with how few calls to Stripe
 * their plans have followed, and what others notice of it.
 */
export async function measurePayments(bench: Bench): Promise<Row[]> {
  return await bench.lifetime.within(async (lifetime) => {
    const program = (path: string) => startProgram(lifetime, new URL(path, import.meta.url))
    const customers = bench.quick ? 100 : 1_000
    const site = await startPaymentsSite(bench, lifetime, { name: 'payments', customers })
    const { api, databaseUrl, emails } = site
    const loggedIn = await Promise.all(emails.slice(0, readingMembers).map((email) => logIn(api.url, email)))
    const readings = [
      {
        name: 'GET an edition',
        readers: startPacedReaders(lifetime),
        order: {
          url: `${api.url}/edition/prod/${await busiestEdition(databaseUrl)}`,
          headersInTurn: [{ Cookie: api.cookie }],
        },
      },
      {
        name: 'GET /member of others',
        readers: startPacedReaders(lifetime),
        order: {
          url: `${api.url}/member`,
          headersInTurn: loggedIn.map(({ headers }) => ({ ...appHeaders, ...headers })),
        },
      },
    ]
    const scene = { site, events: program('../load/events/webhooks.ts'), readings }
    const bareUrl = await program('../bare/bare-webhooks.ts').ask<string>({
      route: webhookRoute,
      secret: webhookSecret,
      databaseUrl,
      connections: 10,
    } satisfies BareWebhooks)
    return [...(await measureStorms(bench, scene)), await compareRates(bench, scene, bareUrl + webhookRoute)]
  })
}

/** Storms with readers, and the same readers while nothing happens. */
async function measureStorms({ quick, progress }: Bench, scene: Scene): Promise<Row[]> {
  const seconds = quick ? 2 : 10
  const weathers: Weather[] = []
  const quantiles: { idle: number[][]; busy: number[][] } = { idle: [], busy: [] }
  const idle = async () => {
    const p99s = await readFor(scene, seconds)
    quantiles.idle.push(p99s)
    return Math.max(...p99s)
  }
  const busy = async () => {
    await scene.site.changeSubscriptions()
    const weather = bringStorm(scene)
    weather.catch(() => {})
    await pause(leadSeconds * 1_000)
    const p99s = await readFor(scene, seconds)
    weathers.push(await weather)
    quantiles.busy.push(p99s)
    await scene.site.becomeQuiet()
    return Math.max(...p99s)
  }
  const { customerIds } = scene.site
  const count = customerIds.length * eventsEach
  await progress.step(`Storms of ${whole(count)} events`, async () => {
    await bringStorm(scene)
    await scene.site.becomeQuiet()
    await readFor(scene, 1)
    await takePairs(quick ? 2 : 5, { ours: busy, other: idle }, (pair, taken) => {
      const { drainSeconds, callsAnEvent } = weathers.at(-1) ?? { drainSeconds: 0, callsAnEvent: 0 }
      progress.say(
        `  pair ${taken}: p99 ${milliseconds(pair.ours)}, idle ${milliseconds(pair.other)}; ${drainSeconds.toFixed(1)} s, ${ratioText(callsAnEvent)} calls an event`,
      )
    })
  })
  return [
    ...stormRows(weathers, `${whole(count)} events for ${whole(customerIds.length)} customers`),
    ...scene.readings.map(({ name }, index) =>
      readingRow(
        `${name}, ${readsPerSecond}/s, meanwhile: p99`,
        summarize(
          quantiles.busy.map((busyOnes, pair) => ({
            ours: busyOnes[index] ?? Number.NaN,
            other: quantiles.idle[pair]?.[index] ?? Number.NaN,
          })),
        ),
      ),
    ),
  ]
}

function stormRows(weathers: readonly Weather[], what: string): Row[] {
  const calls = Math.max(...weathers.map(({ callsAnEvent }) => callsAnEvent))
  const answersMs = weathers.flatMap(({ storm }) => storm.answersMs)
  const slowest = answersMs.reduce((most, ms) => Math.max(most, ms), 0)
  const none = { alternative: '', ratio: '' }
  return [
    {
      ...none,
      measure: `${what}: until all their plans have followed`,
      figure: `${median(weathers.map(({ drainSeconds }) => drainSeconds)).toFixed(1)} s`,
      target: '',
      passed: null,
    },
    {
      ...none,
      measure: 'calls to Stripe for each event, in the worst storm',
      figure: calls.toFixed(3),
      target: `≤ ${mostCallsAnEvent}`,
      passed: calls <= mostCallsAnEvent,
    },
    {
      ...none,
      measure: `an event is answered, ${atOnce} at once: the slowest of all`,
      figure: milliseconds(slowest),
      target: `≤ ${mostAnswerMs / 1_000} s`,
      passed: slowest <= mostAnswerMs,
    },
    {
      ...none,
      measure: 'p99 of these',
      figure: milliseconds(quantile(answersMs, 0.99)),
      target: '',
      passed: null,
    },
  ]
}

function readingRow(measure: string, pairs: Pairs): Row {
  return {
    measure,
    figure: milliseconds(pairs.ours),
    alternative: `${milliseconds(pairs.other)} idle`,
    ratio: spreadText(pairs.ratio, pairs.spread),
    target: `≤ ${mostSlower}`,
    passed: pairs.ratio <= mostSlower,
  }
}

/** How fast events are taken, the worker reading their customers meanwhile, against mere storing. */
async function compareRates({ quick, progress }: Bench, scene: Scene, bareUrl: string): Promise<Row> {
  const { api, customerIds } = scene.site
  const rateAt = async (url: string) => {
    const { answersMs, ms } = await postStorm(scene, url)
    return (answersMs.length * 1_000) / ms
  }
  const ours = async () => {
    await scene.site.changeSubscriptions()
    const rate = await rateAt(api.url + webhookRoute)
    await scene.site.becomeQuiet()
    return rate
  }
  const pairs = await progress.step('Taking events, against storing them', async () => {
    await rateAt(bareUrl)
    return await takePairs(quick ? 2 : 3, { ours, other: () => rateAt(bareUrl) }, (pair, taken) =>
      progress.say(
        `  pair ${taken}: ${perSecond(pair.ours)}, bare ${perSecond(pair.other)}: ${ratioText(ratioOf(pair))}`,
      ),
    )
  })
  return {
    measure: `Events taken of ${whole(customerIds.length * eventsEach)}, ${atOnce} at once`,
    figure: perSecond(pairs.ours),
    alternative: `${perSecond(pairs.other)} bare Fastify, one row each`,
    ratio: spreadText(pairs.ratio, pairs.spread),
    target: '',
    passed: null,
  }
}

async function bringStorm(scene: Scene): Promise<Weather> {
  const { site } = scene
  const callsBefore = await site.standIn.countCalls()
  const began = performance.now()
  const storm = await postStorm(scene, site.api.url + webhookRoute)
  await site.becomeRead()
  const drainSeconds = (performance.now() - began) / 1_000
  const calls = (await site.standIn.countCalls()) - callsBefore
  return { storm, drainSeconds, callsAnEvent: calls / storm.answersMs.length }
}

async function postStorm({ site, events }: Scene, url: string): Promise<Storm> {
  return await events.ask<Storm>({
    ...{ url, secret: webhookSecret, customersABurst, atOnce },
    customerIds: site.customerIds,
    object: site.subscription,
  } satisfies StormOrder)
}

/** The p99 of each reading. */
async function readFor({ readings }: Scene, seconds: number): Promise<number[]> {
  return await Promise.all(
    readings.map(async ({ readers, order }) => {
      return quantile(await readers.read({ ...order, perSecond: readsPerSecond, seconds }), 0.99)
    }),
  )
}
