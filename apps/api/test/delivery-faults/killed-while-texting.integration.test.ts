import { expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createSmsRecipient } from '../factories/recipients.ts'
import { type SiteProcess, startWorkerProcess } from '../faults/site-process.ts'
import { temporaryFolder } from '../faults/temporary-folder.ts'
import { startEarlyServer } from '../sites/early-server.ts'
import { startPhones } from '../sms/phones.ts'
import { useTestApp } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'
import { waitOptions } from '../wait-options.ts'
import { noonZone } from './noon.ts'
import { publishToday } from './publish-today.ts'

const siteUrl = 'http://localhost:3000'
const atOnce = 3
const members = 6
const siteEnv = {
  SITE_URL: siteUrl,
  SITE_TIME_ZONE: noonZone,
  DELIVERY_DELAY_SECONDS: '0',
  SMS_QUIET_HOURS: 'off',
  SMS_CONNECTIONS: String(atOnce),
}

/** Starts a site whose edition a worker is texting: Twilio has as many texts as it may hand over, and doesn't reply. */
async function startTexting(faults: { failEvery?: number } = {}) {
  const server = await startEarlyServer()
  onTestFinished(() => server.close())
  const incomingUrl = `${siteUrl}/webhooks/twilio/incoming`
  const phones = await startPhones({ incomingUrl, callbackOrigin: server.url, now: systemClock.now })
  onTestFinished(() => phones.stop())
  await phones.setFaults({ ...faults, slowMs: 60_000, callbacks: 'off' })
  const databaseUrl = await createTestDatabase()
  const env = { ...siteEnv, ...phones.env, DATA_DIR: await temporaryFolder() }
  const site = await useTestApp({ databaseUrl, working: false, env, overrides: { clock: systemClock } })
  server.routeTo(site.app)
  const { db } = site.context.database
  const numbers = new Map<string, string>()
  for (let index = 0; index < members; index += 1) {
    const { memberId, number } = await createSmsRecipient(site)
    numbers.set(memberId, number)
  }
  const { run } = await publishToday(site, ['First'])

  async function numbersIn(state: 'planned' | 'sending'): Promise<string[]> {
    const rows = await db.delivery.findMany({ where: { state }, orderBy: { id: 'asc' } })
    return rows.map(({ memberId }) => numbers.get(memberId ?? '') ?? '')
  }

  const worker = await startWorkerProcess({ databaseUrl, env })
  await vi.waitFor(async () => expect(await numbersIn('sending')).toHaveLength(atOnce), waitOptions)
  const inFlight = await numbersIn('sending')
  return {
    phones,
    worker,
    inFlight,
    waiting: await numbersIn('planned'),
    /** Has the next worker send the rest, and Twilio reply again. */
    async finish(killed: SiteProcess): Promise<void> {
      await phones.setFaults({})
      await db.deliverySender.updateMany({ data: { heartbeatAt: new Date(0) } })
      await site.context.deliverySchedule.sweep()
      expect(killed.isRunning()).toBe(false)
      await startWorkerProcess({ databaseUrl, env })
      await vi.waitFor(
        async () =>
          expect(await db.deliveryRun.findUnique({ where: { id: run.id } })).toMatchObject({ state: 'done' }),
        waitOptions,
      )
      await site.context.deliverySchedule.sweep()
    },
    /** Returns the state and reason of the delivery to each number. */
    async states(of: readonly string[]): Promise<string[]> {
      const rows = await db.delivery.findMany()
      return of.map((number) => {
        const row = rows.find(({ memberId }) => numbers.get(memberId ?? '') === number)
        return [row?.state, row?.state === 'suppressed' && row.reason].filter(Boolean).join(' ')
      })
    },
    /** Returns how many texts each number got. */
    texts: (of: readonly string[]) =>
      Promise.all(of.map(async (number) => (await phones.textsTo(number)).length)),
  }
}

it.each([
  ['are recognized there by their links', {}, 'delivered', 1],
  ['stay unconfirmed if it does not have them', { failEvery: 1 }, 'unconfirmed', 0],
] as const)(
  'texts in flight to Twilio when their worker is killed %s, and none is sent twice',
  async (_what, faults, state, count) => {
    const { worker, inFlight, waiting, texts, states, finish } = await startTexting(faults)
    await vi.waitFor(
      async () => expect(await texts(inFlight)).toEqual(inFlight.map(() => count)),
      waitOptions,
    )
    await worker.end('SIGKILL')

    await finish(worker)

    expect(await states(inFlight)).toEqual(inFlight.map(() => state))
    expect(await texts(inFlight)).toEqual(inFlight.map(() => count))
    await vi.waitFor(
      async () => expect(await states(waiting)).toEqual(waiting.map(() => 'delivered')),
      waitOptions,
    )
    expect(await texts(waiting)).toEqual(waiting.map(() => 1))
  },
)

it('STOP from phones whose texts are in flight and planned ends all further texts to them', async () => {
  const { phones, worker, inFlight, waiting, texts, states, finish } = await startTexting()
  await vi.waitFor(async () => expect(await texts(inFlight)).toEqual(inFlight.map(() => 1)), waitOptions)
  const [sent = '', planned = ''] = [inFlight[0], waiting[0]]
  await phones.reply(sent, 'STOP')
  await phones.reply(planned, 'STOP')
  await worker.end('SIGKILL')

  await finish(worker)

  expect(await states([sent, planned])).toEqual(['delivered', 'suppressed unsubscribed'])
  expect(await texts([sent, planned])).toEqual([1, 0])
})
