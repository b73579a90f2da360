import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { urlOf } from '@tidings/contracts/endpoint'
import { receiveStripeEvent } from '@tidings/contracts/membership/billing'
import { getMember } from '@tidings/contracts/membership/routes'
import { listMemos } from '@tidings/contracts/routes'
import { appHeaders, logIn } from '../calls/membership.ts'
import { busiestEdition } from '../data/edition-keys.ts'
import { eventsEach } from '../load/events/storm.ts'
import type { Storm, StormOrder } from '../load/events/webhooks.ts'
import { startPacedReaders } from '../load/paced-readers.ts'
import type { Lifetime } from '../programs/lifetime.ts'
import { startProgram } from '../programs/program.ts'
import { milliseconds, whole } from '../results/figures.ts'
import { median, quantile } from '../results/median.ts'
import { summarize } from '../results/pairs.ts'
import { pairsRow } from '../results/rows.ts'
import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'
import { webhookSecret } from '../sites/emulators.ts'
import { type PaymentsSite, startPaymentsSite } from '../sites/payments-site.ts'

const customersABurst = 100
// The concurrent deliveries of a busy Stripe account.
const atOnce = 8
const readsPerSecond = 100
const readingMembers = 50
// About as long as Stripe takes for a read, as seen from the same continent.
const stripeReadMs = 100
const leadSeconds = 0.5
const maxSlower = 3
const maxCallsAnEvent = 0.3
const maxAnswerMs = 2_000

type Round = { idle: number[]; busy: number[]; responsesMs: number[]; drainSeconds: number; calls: number }

/**
 * Posts a storm of events about many customers whose subscriptions have just changed. Measures how soon and with how many
 * calls to Stripe their plans are synced, and how much it slows down readers.
 */
export async function measurePayments(bench: Bench): Promise<Row[]> {
  return await bench.lifetime.within(async (lifetime) => {
    const site = await startPaymentsSite(bench, lifetime, {
      name: 'payments',
      customers: bench.quick ? 100 : 300,
    })
    const { api, customerIds, emulators } = site
    await emulators.delayReads(stripeReadMs)
    const reads = await startReads(lifetime, site)
    const events = startProgram(lifetime, new URL('../load/events/webhooks.ts', import.meta.url))
    // Stripe and its deliveries run on other machines, so here they leave the processors to the site.
    for (const { pid } of [emulators, events]) setPriority(pid, constants.priority.PRIORITY_LOW)

    async function sendStorm() {
      const began = performance.now()
      const { responsesMs } = await events.request<Storm>({
        url: api.url + urlOf(receiveStripeEvent),
        secret: webhookSecret,
        customersABurst,
        atOnce,
        customerIds,
        object: site.subscription,
      } satisfies StormOrder)
      await site.waitForSyncs()
      return { responsesMs, drainSeconds: (performance.now() - began) / 1_000 }
    }

    const seconds = bench.quick ? 2 : 8
    const count = whole(customerIds.length * eventsEach)
    const takeRound = async (): Promise<Round> => {
      const idle = await reads.measure(seconds)
      await site.changeSubscriptions()
      const callsBefore = await emulators.countCalls()
      const coming = sendStorm()
      coming.catch(() => {})
      await pause(leadSeconds * 1_000)
      const busy = await reads.measure(seconds)
      const storm = await coming
      // The emails of this storm must not slow down the next idle measurement.
      await site.waitForJobs()
      return { idle, busy, ...storm, calls: (await emulators.countCalls()) - callsBefore }
    }
    await reads.measure(1)
    const rounds: Round[] = []
    while (rounds.length < (bench.quick ? 1 : 3)) {
      rounds.push(await bench.progress.step(`Storm ${rounds.length + 1} of ${count} events`, takeRound))
    }
    return rowsOf(rounds, { count, customers: customerIds.length, names: reads.names })
  })
}

/** Starts readers of the edition and of members without payments. */
async function startReads(lifetime: Lifetime, { api, databaseUrl, emails }: PaymentsSite) {
  const loggedIn = await Promise.all(emails.slice(0, readingMembers).map((email) => logIn(api.url, email)))
  const requests = [
    {
      name: 'GET an edition',
      readers: startPacedReaders(lifetime),
      url: api.url + urlOf(listMemos, { params: { key: await busiestEdition(databaseUrl) } }),
      headersInTurn: [{ Cookie: api.cookie }],
    },
    {
      name: 'GET /member of others',
      readers: startPacedReaders(lifetime),
      url: api.url + urlOf(getMember),
      headersInTurn: loggedIn.map(({ headers }) => ({ ...appHeaders, ...headers })),
    },
  ]
  return {
    names: requests.map(({ name }) => name),
    /** Returns the p99 of each reading. */
    measure: (seconds: number) =>
      Promise.all(
        requests.map(async ({ readers, url, headersInTurn }) =>
          quantile(await readers.read({ url, headersInTurn, perSecond: readsPerSecond, seconds }), 0.99),
        ),
      ),
  }
}

type Sizes = { count: string; customers: number; names: readonly string[] }

function rowsOf(rounds: readonly Round[], { count, customers, names }: Sizes): Row[] {
  const responsesMs = rounds.flatMap((round) => round.responsesMs)
  const callsAnEvent = rounds.reduce((calls, round) => calls + round.calls, 0) / responsesMs.length
  const slowest = responsesMs.reduce((max, ms) => Math.max(max, ms), 0)
  const drainSeconds = median(rounds.map((round) => round.drainSeconds))
  return [
    {
      measure: `${count} events for ${whole(customers)} customers: until all their plans are synced`,
      figure: `${drainSeconds.toFixed(1)} s`,
    },
    {
      measure: 'calls to Stripe for each event',
      figure: callsAnEvent.toFixed(3),
      target: `≤ ${maxCallsAnEvent}`,
      passed: callsAnEvent <= maxCallsAnEvent,
    },
    {
      measure: `slowest response to an event, ${atOnce} at once`,
      figure: milliseconds(slowest),
      target: `≤ ${maxAnswerMs / 1_000} s`,
      passed: slowest <= maxAnswerMs,
    },
    ...names.map((name, index) => {
      const pairs = rounds.map(({ busy, idle }) => ({
        ours: busy[index] ?? Number.NaN,
        other: idle[index] ?? Number.NaN,
      }))
      return pairsRow(`${name}, ${readsPerSecond}/s, meanwhile: p99`, summarize(pairs), {
        text: milliseconds,
        other: 'idle',
        max: maxSlower,
      })
    }),
  ]
}
