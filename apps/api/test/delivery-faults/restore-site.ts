import path from 'node:path'
import { formatEditionKey } from '@tidings/contracts/edition-key'
import { expect, onTestFinished, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { readFolderFile } from '#platform/sending-guard/folder-file.ts'
import { createTestDesk } from '../desk.ts'
import { draftEdition } from '../factories/editions.ts'
import type { OwnPostgres } from '../faults/own-postgres.ts'
import { type SiteProcess, startWorkerProcess } from '../faults/site-process.ts'
import { temporaryFolder } from '../faults/temporary-folder.ts'
import { createRandom } from '../random.ts'
import { runInProcess } from '../sites/run-in-process.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { isExpected } from './compare.ts'
import { fillRecipients } from './fill-recipients.ts'
import { noonDate, noonZone } from './noon.ts'
import { type ReceivedMail, startRecordingMailServer } from './recording-mail-server.ts'
import { resolveByInbox } from './resolve-by-inbox.ts'

const siteEnv = { SITE_URL: 'http://localhost:3000', SITE_TIME_ZONE: noonZone, DELIVERY_DELAY_SECONDS: '0' }
const timing = { timeout: 600_000, interval: 200 }

/** Starts a site on a server of its own, with members and a draft for them, and a mail server that keeps what it gets. */
export async function startRestoreSite(
  postgres: OwnPostgres,
  { members, seed }: { members: number; seed: number },
) {
  const mails = await startRecordingMailServer(faultlessServer(seed))
  onTestFinished(() => mails.stop())
  const key = formatEditionKey(noonDate(), '10AM')
  const first = await openSite(postgres.url)
  await fillRecipients(first.site.context.database.db, {
    count: members,
    appId: first.site.context.config.site.appId,
  })
  await draftEdition(first.site.context, key, ['First title', 'Second memo'])

  /** Opens a database of the site, without workers. */
  async function openSite(databaseUrl: string, dataDir?: string) {
    const env = { ...siteEnv, DATA_DIR: dataDir ?? (await temporaryFolder()) }
    const site = await startTestApp({ databaseUrl, working: false, env, overrides: { clock: systemClock } })
    onTestFinished(() => site.close())
    return {
      site,
      databaseUrl,
      ...operationsOf(site, { dataDir: env.DATA_DIR, databaseUrl, mails, key, members }),
    }
  }

  return {
    ...first,
    mails,
    openSite,
    doubled: () => doubled(mails.received),
    /** Waits until the mail server has a share of the messages. */
    untilSent: (share: number) =>
      vi.waitFor(() => expect(mails.received.length).toBeGreaterThanOrEqual(members * share), {
        ...timing,
        interval: 10,
      }),
  }
}

/** Returns the addresses that got the edition more than once. */
function doubled(received: readonly ReceivedMail[]): string[] {
  const mails = Map.groupBy(received, ({ to }) => to)
  return [...mails].flatMap(([to, of]) => (of.length > 1 ? [`${to} got ${of.length}`] : []))
}

type Restored = {
  dataDir: string
  databaseUrl: string
  mails: Awaited<ReturnType<typeof startRecordingMailServer>>
  key: string
  members: number
}

/** Returns what an operator does with a database of the site. */
function operationsOf(site: TestApp, { dataDir, databaseUrl, mails, key, members }: Restored) {
  const { context } = site
  const { db } = context.database
  const env = { ...siteEnv, SMTP_URL: mails.url, DATA_DIR: dataDir }
  const desk = createTestDesk(site)
  return {
    dataDir,
    /** Starts a worker with this DATA_DIR, or another one. */
    work: (own: string = dataDir): Promise<SiteProcess> =>
      startWorkerProcess({ databaseUrl, env: { ...env, DATA_DIR: own } }),
    async publish(): Promise<void> {
      const reply = await desk.call('POST', `/editions/${key}/publish`, { body: { deliver: true } })
      expect(reply.statusCode).toBe(200)
    },
    async report(): Promise<{ state: string; heldReason: string | null }> {
      return (await desk.call('GET', `/editions/${key}/delivery-report`)).json().data
    },
    /** Runs a command with this DATA_DIR, or another one. */
    command: async (name: string, own: string = dataDir): Promise<string> =>
      (await runInProcess(['deliveries', ...name.split(' ')], { ...context.config, dataDir: own })).printed,
    /** Runs any command with the settings of this site. */
    run: (...args: string[]) => runInProcess(args, { ...context.config, dataDir }),
    /** Waits until everything is sent, and meanwhile skips the times between tries and until workers are lost. */
    async untilDone(lost: readonly SiteProcess[] = []): Promise<void> {
      await vi.waitFor(async () => {
        const at = systemClock.now()
        await db.delivery.updateMany({
          where: { state: 'planned', nextAttemptAt: { gt: at } },
          data: { nextAttemptAt: at },
        })
        const processes = lost.map(({ pid }) => ({ process: { endsWith: `:${pid}` } }))
        if (processes.length > 0)
          await db.deliverySender.updateMany({
            where: { OR: processes },
            data: { heartbeatAt: new Date(0) },
          })
        await context.deliverySchedule.sweep()
        expect(await db.deliveryRun.findFirstOrThrow()).toMatchObject({ state: 'done' })
      }, timing)
    },
    resolve: () => resolveByInbox(desk, mails.received),
    /** Resumes the edition, if it is held, once the workers with other folders have reported what they sent. */
    async resumeOnceReported(): Promise<void> {
      const found = await readFolderFile(path.join(dataDir, 'sending'))
      const confirmed = 'file' in found ? found.file.id : ''
      await vi.waitFor(async () => {
        const silent = { id: { not: confirmed }, settledFor: null }
        expect(await db.sendingFolder.count({ where: silent })).toBe(0)
      }, timing)
      const { state } = (await desk.call('GET', `/editions/${key}/delivery-report`)).json().data
      if (state === 'held') await desk.call('POST', `/editions/${key}/deliveries/resume`)
    },
    /** Compares the ledger with the inbox by recipient. Returns a line for each difference. */
    async differences(): Promise<string[]> {
      const rows = await db.delivery.findMany()
      const received = Map.groupBy(mails.received, ({ to }) => to)
      return [
        ...rows.flatMap(({ recipient, state, reason }) => {
          const count = received.get(recipient)?.length ?? 0
          // The mailbox was refused for good before the backup, which has that, but not yet the delivery's failure.
          if (state === 'suppressed' && reason === 'bounce' && count === 0) return []
          return isExpected({ state, reason, recipient }, count)
            ? []
            : [`${recipient} (${state}, ${reason}): ${count}`]
        }),
        ...doubled(mails.received),
        ...(new Set(rows.map(({ recipient }) => recipient)).size === members
          ? []
          : [`${rows.length} deliveries`]),
      ]
    },
    untilHeld: () =>
      vi.waitFor(async () => {
        await context.deliverySchedule.sweep()
        const reason = await context.sendingGuard.read()
        expect(reason).not.toBeNull()
        return reason ?? ''
      }, timing),
  }
}

/** Returns the faults of a mail server that only takes its time. */
function faultlessServer(seed: number) {
  return {
    correction: 'no correction',
    random: createRandom(seed),
    slowMs: 30,
    late: 0,
    cutAfter: 1_000_000,
    full: [],
    throttleEvery: 0,
    blocked: [],
  }
}
