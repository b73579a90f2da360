import { expect, onTestFinished, vi } from 'vitest'
import { sendRun } from '#features/delivery/delivery.jobs.ts'
import { longestRetryMs } from '#features/delivery/retry-times.ts'
import { systemClock } from '#platform/clock.ts'
import { createTestDesk } from '../desk.ts'
import type { OwnPostgres } from '../faults/own-postgres.ts'
import { temporaryFolder } from '../faults/temporary-folder.ts'
import { createRandom } from '../random.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { type Comparison, compareLedgerAndInbox } from './compare.ts'
import { blockingDomains, fillRecipients, fullMailboxes } from './fill-recipients.ts'
import { noonZone } from './noon.ts'
import { publishToday } from './publish-today.ts'
import { startRecordingMailServer } from './recording-mail-server.ts'
import { resolveByInbox } from './resolve-by-inbox.ts'
import { type KilledWorker, startWorkers } from './workers.ts'

export type FaultOptions = {
  members: number
  workers: number
  kills: number
  restarts: number
  seed: number
  /** How late the mail server replies to each message. */
  slowMs: number
  /** The share of the messages to which it replies after the worker has given up. */
  late: number
  /** The messages after which it cuts each connection. */
  cutAfter: number
  /** Finds lost workers at once instead of within minutes. */
  isHurried: boolean
  say: (line: string) => void
}

export type FaultResult = {
  killed: readonly KilledWorker[]
  /** Unconfirmed deliveries by the worker that was killed. */
  unconfirmedOf: ReadonlyMap<string, number>
  seconds: number
  afterSending: Comparison
  /** Once an editor has resolved the unconfirmed deliveries by the mail server's log. */
  afterResolving: Comparison
}

const correction = 'Corrected title'
/** The messages that a worker hands over at once. */
export const connectionsOfWorker = 5
const siteEnv = {
  SITE_URL: 'http://localhost:3000',
  SITE_TIME_ZONE: noonZone,
  DELIVERY_DELAY_SECONDS: '0',
  BULK_SMTP_CONNECTIONS: String(connectionsOfWorker),
}
const timeout = 1_200_000

/**
 * Sends an edition while workers are killed, Postgres restarts, the mail server misbehaves, two domains refuse the site, of
 * which one relents, and an editor corrects the edition. Each happens after a random number of messages. Returns how the ledger differs from the inbox.
 */
export async function simulateDeliveryFaults(
  postgres: OwnPostgres,
  options: FaultOptions,
): Promise<FaultResult> {
  const { members, say } = options
  const random = createRandom(options.seed)
  const full = fullMailboxes(members)
  const mails = await startRecordingMailServer({
    ...options,
    correction,
    random,
    full,
    throttleEvery: 33,
    blocked: Object.values(blockingDomains),
  })
  onTestFinished(() => mails.stop())
  const env = { ...siteEnv, DATA_DIR: await temporaryFolder() }
  const site = await startTestApp({
    databaseUrl: postgres.url,
    working: false,
    env,
    overrides: { clock: systemClock },
  })
  onTestFinished(() => site.close())
  const { db } = site.context.database
  await fillRecipients(db, { count: members, appId: site.context.config.site.appId })
  const workers = await startWorkers(options.workers, {
    databaseUrl: postgres.url,
    env: { ...env, SMTP_URL: mails.url },
    say,
  })

  const began = systemClock.now().getTime()
  const elapsed = () => Math.round((systemClock.now().getTime() - began) / 1_000)
  const note = (text: string) => say(`${elapsed()} s, ${mails.received.length} messages: ${text}`)
  const { runId, correct } = await publish(site, options.workers)
  const killed: KilledWorker[] = []
  /** Waits until something holds, and meanwhile skips the times that it would take. */
  const until = (condition: () => Promise<void> | void) =>
    vi.waitFor(
      async () => {
        await skipTime(site, killed, options)
        await condition()
      },
      { timeout, interval: options.isHurried ? 100 : 500 },
    )
  const happenings: Record<Happening['kind'], () => Promise<string>> = {
    async kill() {
      const worker = await workers.kill(db, random)
      killed.push(worker)
      return `killed ${worker.name} with ${worker.inFlight} messages in flight`
    },
    async restart() {
      await postgres.stop()
      await postgres.start()
      return 'restarted Postgres'
    },
    async correct() {
      await correct()
      return 'corrected the edition'
    },
    async relent() {
      mails.relent()
      return 'a domain takes the site off its block list'
    },
  }
  for (const { after, kind } of planOf(options, random)) {
    await until(() => expect(mails.received.length).toBeGreaterThanOrEqual(after))
    note(await happenings[kind]())
  }
  const untilDone = () =>
    until(async () => {
      const run = await db.deliveryRun.findUniqueOrThrow({ where: { id: runId } })
      expect(run.state).toBe('done')
    })
  await untilDone()
  note('sent')

  const { version: correctedVersion } = await db.edition.findFirstOrThrow()
  const compare = () => compareLedgerAndInbox(db, mails.received, { runId, correctedVersion })
  const seconds = elapsed()
  const afterSending = await compare()
  const unconfirmedOf = await countUnconfirmed(site, killed)
  mails.behave()
  const resolved = await resolveByInbox(createTestDesk(site), mails.received)
  await untilDone()
  note(`resolved ${resolved} unconfirmed deliveries`)
  const afterResolving = await compare()
  await workers.stop()
  return { killed, unconfirmedOf, seconds, afterSending, afterResolving }
}

type Happening = { after: number; kind: 'kill' | 'restart' | 'correct' | 'relent' }

/** Returns what happens after how many messages, in order. */
function planOf({ members, kills, restarts }: FaultOptions, random: () => number): Happening[] {
  const between = (from: number, to: number) => Math.floor(members * (from + (to - from) * random()))
  const times = (count: number, make: () => Happening) => Array.from({ length: count }, make)
  return [
    // Some messages are never accepted, so that their number doesn't reach that of the members.
    ...times(kills, () => ({ after: between(0.03, 0.8), kind: 'kill' })),
    ...times(restarts, () => ({ after: between(0.1, 0.8), kind: 'restart' })),
    { after: between(0.4, 0.6), kind: 'correct' } as const,
    { after: between(0.3, 0.6), kind: 'relent' } as const,
  ].sort((one, other) => one.after - other.after)
}

/** Publishes today's edition to all members. Returns its run, and what corrects it. */
async function publish(site: TestApp, workers: number) {
  const { context } = site
  const { desk, memos, run } = await publishToday(site, ['First title', 'Second memo'])
  // A short run has one sender only.
  for (let other = 1; other < workers; other += 1) {
    await context.jobs.enqueue(context.database.db, sendRun, { runId: run.id })
  }
  return {
    runId: run.id,
    async correct(): Promise<void> {
      const { version } = await desk.readMemo(memos[0]?.id ?? '')
      const change = { body: { title: correction }, ifMatch: `"${version}"` }
      expect((await desk.call('PATCH', `/memos/${memos[0]?.id}`, change)).statusCode).toBe(200)
    },
  }
}

/** Skips the times between the tries of a message and, if hurried, until lost workers are noticed. */
async function skipTime(
  site: TestApp,
  killed: readonly KilledWorker[],
  { isHurried }: FaultOptions,
): Promise<void> {
  const { context } = site
  const { db } = context.database
  const now = systemClock.now()
  await db.delivery.updateMany({
    where: { state: 'planned', nextAttemptAt: { gt: now } },
    data: { nextAttemptAt: now },
  })
  await endWaiting(site, now)
  if (!isHurried) return
  await db.deliverySender.updateMany({
    where: { process: { in: killed.map(({ name }) => name) } },
    data: { heartbeatAt: new Date(0) },
  })
  await context.deliverySchedule.sweep()
}

/**
 * Skips the times for which the messages of refusing domains wait, once all that are left do; at last the six hours of the
 * domain that refuses for good. Doing so earlier would start workers again and again for one message.
 */
async function endWaiting({ context }: TestApp, now: Date): Promise<void> {
  const { db } = context.database
  const refusing = await db.refusingDomain.findMany({ where: { retryAt: { gt: now } } })
  const of = (domains: readonly string[]) =>
    domains.map((domain) => ({ recipient: { endsWith: `@${domain}` } }))
  const countOthers = (domains: readonly string[]) =>
    db.delivery.count({
      where: {
        OR: [{ state: 'sending' }, { state: 'planned', NOT: { OR: of(domains) } }],
      },
    })
  if ((await countOthers(refusing.map(({ domain }) => domain))) > 0) return
  if ((await countOthers([blockingDomains.forGood])) > 0) {
    await db.refusingDomain.updateMany({
      where: { domain: { not: blockingDomains.forGood } },
      data: { retryAt: now },
    })
    return
  }
  const before = new Date(now.getTime() - longestRetryMs)
  await db.refusingDomain.updateMany({ data: { since: before } })
  await db.deliveryRun.updateMany({ where: { state: 'sending' }, data: { sendAfter: before } })
}

async function countUnconfirmed(
  { context }: TestApp,
  killed: readonly KilledWorker[],
): Promise<Map<string, number>> {
  // A row for each message.
  const rows = await context.database.db.delivery.findMany({
    where: { state: 'unconfirmed', sentWith: null },
  })
  return new Map(killed.map(({ name }) => [name, rows.filter(({ reason }) => reason?.includes(name)).length]))
}
