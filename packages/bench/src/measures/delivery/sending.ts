import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { urlOf } from '@tidings/contracts/endpoint'
import { listMemos } from '@tidings/contracts/routes'
import type { BareMails } from '../../bare/bare-nodemailer.ts'
import { busiestEdition } from '../../data/edition-keys.ts'
import { startPacedReaders } from '../../load/paced-readers.ts'
import { startProgram } from '../../programs/program.ts'
import { milliseconds, perSecond, whole } from '../../results/figures.ts'
import { quantile } from '../../results/median.ts'
import { type Pair, summarize, takePairs } from '../../results/pairs.ts'
import { pairPrinter, pairsRow } from '../../results/rows.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import type { DeliverySite } from '../../sites/delivery-site.ts'

const minRatio = 0.8
const maxSlower = 3
const readsPerSecond = 100
const copiedHeaders = ['List-Id', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'Auto-Submitted']

type Options = { connections: number; recipients: number }

/** Sends editions with a worker, and compares the messages per second with a bare loop that sends the same bytes. */
export async function compareSending(
  { quick, progress, lifetime }: Bench,
  site: DeliverySite,
  { connections, recipients }: Options,
): Promise<Row> {
  return await lifetime.within(async (inner) => {
    const { mails } = site
    const bare = startProgram(inner, new URL('../../bare/bare-nodemailer.ts', import.meta.url))
    await site.choose(recipients)
    const { pid, failure } = site.work(inner, 'delivery-worker')
    const rateOf = async (send: () => Promise<unknown>) => {
      await mails.restart()
      await Promise.race([send(), failure])
      const { messages, seconds } = await mails.count()
      if (messages !== recipients) throw new Error(`${messages} messages arrived, not ${recipients}.`)
      return messages / seconds
    }
    const sendOurs = async () => {
      const key = await site.draft()
      await site.publish(key)
      await site.waitUntilSent(key)
      return key
    }
    let key = ''
    const ours = () => rateOf(async () => (key = await sendOurs()))
    await progress.step('Sending an edition first', ours)
    const sample = (await mails.count()).first
    const email = { ...(await site.preview(key, 'memo-email')), ...headersOf(sample) }
    const order = { url: mails.url, connections, messages: recipients, email } satisfies BareMails
    const other = () => rateOf(() => bare.request(order))
    await other()
    requireSameSize(sample, (await mails.count()).first)

    progress.say(`  each message has ${whole(sample.length)} bytes; the worker is process ${pid}`)
    const result = await progress.step(`Sending an edition to ${whole(recipients)} members`, () =>
      takePairs(quick ? 2 : 5, { ours, other }, pairPrinter(progress.say, perSecond)),
    )
    return pairsRow(
      `Messages of ${whole(sample.length / 1_000)} kB sent per second over ${connections} connections`,
      result,
      { text: perSecond, other: 'bare nodemailer', min: minRatio },
    )
  })
}

/** Reads an edition while others are sent, and compares the p99 with that of an idle site. */
export async function compareReads(
  { quick, progress, lifetime }: Bench,
  site: DeliverySite,
  { recipients }: { recipients: number },
): Promise<Row> {
  return await lifetime.within(async (inner) => {
    await site.choose(recipients)
    const readers = startPacedReaders(inner)
    const { failure } = site.work(inner, 'delivery-worker-read')
    // The mail server is another machine, which leaves the processors to the site.
    setPriority(site.mails.pid, constants.priority.PRIORITY_LOW)
    const params = { key: await busiestEdition(site.databaseUrl) }
    const url = site.api.url + urlOf(listMemos, { params })
    const seconds = quick ? 2 : 8
    const read = async (): Promise<number> => {
      const order = { url, headersInTurn: [{ Cookie: site.api.cookie }], perSecond: readsPerSecond, seconds }
      return quantile(await readers.read(order), 0.99)
    }
    const round = async (): Promise<Pair> => {
      const idle = await read()
      const key = await site.draft()
      await site.mails.restart()
      await site.publish(key)
      while ((await site.mails.count()).messages === 0) await pause(50)
      const busy = await read()
      const { messages } = await site.mails.count()
      if (messages === recipients) throw new Error('All messages were sent before the last read.')
      await Promise.race([site.waitUntilSent(key), failure])
      return { ours: busy, other: idle }
    }
    await read()
    const rounds: Pair[] = []
    while (rounds.length < (quick ? 1 : 3)) {
      rounds.push(await progress.step(`Reading while an edition is sent, round ${rounds.length + 1}`, round))
    }
    return pairsRow(`GET an edition, ${readsPerSecond}/s, meanwhile: p99`, summarize(rounds), {
      text: milliseconds,
      other: 'idle',
      max: maxSlower,
    })
  })
}

/** Returns the sender of a message and the headers that a bare loop has to add. */
function headersOf(message: string): Pick<BareMails['email'], 'from' | 'headers'> {
  const head = message.slice(0, message.indexOf('\r\n\r\n')).replaceAll(/\r\n\s+/g, ' ')
  const lines = new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  return {
    from: lines.get('From') ?? '',
    headers: Object.fromEntries(copiedHeaders.map((name) => [name, lines.get(name) ?? ''])),
  }
}

/** Throws unless both messages are as long, but for the links in a preview. */
function requireSameSize(ours: string, bare: string): void {
  if (Math.abs(ours.length - bare.length) > ours.length * 0.02) {
    throw new Error(`The bare loop sends ${bare.length} bytes instead of ${ours.length}: no comparison.`)
  }
}
