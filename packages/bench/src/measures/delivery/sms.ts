import { receiveSmsStatus } from '@tidings/contracts/delivery/sms-webhooks'
import { urlOf } from '@tidings/contracts/endpoint'
import { builtInAccount } from '@tidings/emulators/twilio/accounts'
import type { BareTexts } from '../../bare/bare-twilio.ts'
import { startProgram } from '../../programs/program.ts'
import { perSecond, ratioText, whole } from '../../results/figures.ts'
import { takePairs } from '../../results/pairs.ts'
import { pairPrinter, pairsRow } from '../../results/rows.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import type { DeliverySite } from '../../sites/delivery-site.ts'
import type { Emulators } from '../../sites/emulators.ts'

const minRatio = 0.8
// As Twilio over the network.
const replyMs = 100
const maxDeviation = 0.02
// As long as every other one.
const someDelivery = '00000000-0000-0000-0000-000000000000'

type TextSite = { site: DeliverySite; emulators: Emulators }

/**
 * Texts editions with a worker, and compares the texts per second with a bare loop that sends the same bodies: with
 * replies at once and, for information, as late as Twilio's.
 */
export async function compareTexting(
  { quick, progress, lifetime }: Bench,
  { site, emulators }: TextSite,
  { connections, recipients }: { connections: number; recipients: number },
): Promise<Row[]> {
  return await lifetime.within(async (inner) => {
    const bare = startProgram(inner, new URL('../../bare/bare-twilio.ts', import.meta.url))
    const { failure } = site.work(inner, 'delivery-texter')
    const { text } = await site.preview(await site.draft(), 'memo-sms')
    const order = (texts: number): BareTexts => ({
      account: builtInAccount,
      apiUrl: emulators.twilio.settings.TWILIO_API_URL ?? '',
      connections,
      texts,
      body: text,
      statusCallback: site.api.url + urlOf(receiveSmsStatus, { query: { delivery: someDelivery } }),
    })
    const compare = async (texts: number, count: number) => {
      await site.choose(texts, 'getmemomethodbysms')
      const rateOf = async (send: () => Promise<unknown>) =>
        rate(await timesOf(emulators, texts, () => Promise.race([send(), failure])))
      const sides = {
        ours: () => rateOf(() => sendEdition(site)),
        other: () => rateOf(() => bare.request(order(texts))),
      }
      return await progress.step(`Texting editions to ${whole(texts)} members`, () =>
        takePairs(count, sides, pairPrinter(progress.say, perSecond)),
      )
    }
    const few = recipients / 5
    await compare(few, 1)
    const atOnce = await compare(recipients, quick ? 1 : 5)
    await emulators.twilio.delayReplies(replyMs)
    const late = await compare(few, 1)
    const measure = `Texts sent per second over ${connections} connections`
    const shown = { text: perSecond, other: 'bare twilio' }
    return [
      pairsRow(`${measure}, replies at once`, atOnce, { ...shown, min: minRatio }),
      pairsRow(`${measure}, replies after ${replyMs} ms`, late, shown),
    ]
  })
}

/** Texts an edition with a rate limit, and compares the texts per second with it. */
export async function compareTextRate(
  { progress, lifetime }: Bench,
  { site, emulators }: TextSite,
  { limit, recipients }: { limit: number; recipients: number },
): Promise<Row> {
  return await lifetime.within(async (inner) => {
    await site.choose(recipients, 'getmemomethodbysms')
    const { failure } = site.work(inner, 'delivery-limited-texter', { SMS_PER_SECOND: String(limit) })
    const times = await progress.step(
      `Texting ${whole(limit)} of ${whole(recipients)} members each second`,
      () => timesOf(emulators, recipients, () => Promise.race([sendEdition(site), failure])),
    )
    const tenth = Math.floor(recipients / 10)
    const measured = rate(times.slice(tenth, -tenth))
    return {
      measure: `Texts sent per second with SMS_PER_SECOND=${limit}`,
      figure: perSecond(measured),
      alternative: `${perSecond(limit)} set`,
      ratio: ratioText(measured / limit),
      target: `${1 - maxDeviation} to ${1 + maxDeviation}`,
      passed: Math.abs(measured / limit - 1) <= maxDeviation,
    }
  })
}

async function sendEdition(site: DeliverySite): Promise<void> {
  const key = await site.draft()
  await site.publish(key)
  await site.waitUntilSent(key)
}

/** Returns when each of so many texts arrived, in milliseconds. */
async function timesOf(
  { twilio }: Emulators,
  count: number,
  send: () => Promise<unknown>,
): Promise<number[]> {
  const before = (await twilio.callTimes()).length
  await send()
  const times = (await twilio.callTimes()).slice(before)
  if (times.length !== count) throw new Error(`${times.length} texts arrived, not ${count}.`)
  return times
}

function rate(times: readonly number[]): number {
  return ((times.length - 1) * 1_000) / ((times.at(-1) ?? 0) - (times[0] ?? 0))
}
