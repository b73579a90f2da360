import { setTimeout as wait } from 'node:timers/promises'
import { dateInZone } from '#features/editions/index.ts'
import { isDatabaseUnavailable } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { SendingPermission } from '#platform/sending-guard/sending-permission.ts'
import type { DeliveryRecipient } from '../delivery-email.ts'
import {
  exchangeDeliveries,
  firstPossibleId,
  releaseUnsent,
  type Sender,
  type StartedDelivery,
} from '../ledger/deliveries.repository.ts'
import type { RunRow } from '../ledger/runs.repository.ts'
import { settleDeliveries } from '../ledger/sent-deliveries.repository.ts'
import { type Finished, type HandOvers, outcomesOf } from './hand-overs.ts'
import { messagesOf, type RenderedContent } from './rendered-content.ts'

export type DeliveryClaimDeps = Pick<PlatformDeps, 'database' | 'clock'> & {
  method: DeliveryRecipient['method']
  appId: string
  pushKey: string | null
  timeZone: string
  sender: Sender
  permission: SendingPermission
  /** Called if what is to be sent can't be recorded: then nothing is sent. */
  onUnwritable(error: unknown): Promise<void>
  run: RunRow
}

const databaseRetries = 60
const databaseRetryMs = 1_000

/** Creates what claims a run's deliveries for a sender, one batch after another, and releases what it doesn't send. */
export function createDeliveryClaims(
  deps: DeliveryClaimDeps,
  { inFlight, finished }: Pick<HandOvers, 'inFlight' | 'finished'>,
) {
  const { database, clock, method, sender, permission } = deps
  const { untilAvailable, releaseIfUncertain } = createDatabaseRetries(release)
  /** The claimed deliveries that are recorded before they are handed over. */
  let recording: readonly StartedDelivery[] = []
  /** The highest id that was claimed. Rows below it are claimed already, or wait for a retry. */
  let takenUpTo = firstPossibleId

  /** Releases what is marked as being handed over and isn't. */
  async function release(): Promise<void> {
    const others = [...finished.map(({ row }) => row), ...recording]
    const handedOver = [...inFlight.keys(), ...others.map(({ id }) => id)]
    await releaseUnsent(database.db, sender, handedOver, permission, clock.now())
  }

  /** Settles what was sent before the database was restored. Returns the others. */
  async function recordMessages(started: readonly StartedDelivery[]): Promise<readonly StartedDelivery[]> {
    const messages = started.flatMap((row) => messagesOf(row, method))
    const known = await permission.record({ counter: started[0]?.counter ?? 0, messages, at: clock.now() })
    if (known.length === 0) return started
    const now = clock.now()
    await untilAvailable(() => settleDeliveries(database.sql, known, { areClaimed: true, now }))
    const knownIds = new Set(known.map(({ id }) => id))
    return started.filter(({ id, pdf }) => !knownIds.has(id) && !knownIds.has(pdf?.id ?? ''))
  }

  return {
    untilAvailable,
    releaseIfUncertain,
    release,

    /** Stores what became of messages, and claims as many others. */
    async storeAndClaim(done: readonly Finished[], rendered: RenderedContent, limit: number) {
      const { appId, pushKey, timeZone } = deps
      const { version: content, unrendered } = rendered
      const now = clock.now()
      const rules = { appId, today: dateInZone(now, timeZone), pushKey }
      return await untilAvailable(() =>
        exchangeDeliveries(database.sql, sender, {
          outcomes: done.flatMap((each) => outcomesOf(each, { now, since: deps.run.sendAfter })),
          permission,
          start: { limit, method, after: takenUpTo, content, rules, timeZone, unrendered },
          now,
        }),
      )
    },

    /** Records what is handed over next. Returns what is still to be sent of it; null if it can't be recorded. */
    async record(started: readonly StartedDelivery[]): Promise<readonly StartedDelivery[] | null> {
      recording = started
      try {
        const ready = await recordMessages(started)
        for (const { id } of ready) if (id > takenUpTo) takenUpTo = id
        return ready
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        await deps.onUnwritable(error)
        return null
      } finally {
        recording = []
      }
    },

    /** Claims earlier deliveries again, those to be retried. Returns false if it has just begun with them. */
    startAgain(): boolean {
      const isLater = takenUpTo !== firstPossibleId
      takenUpTo = firstPossibleId
      return isLater
    },
  }
}

/** Creates the retries of a sender's statements. What a failed one may have claimed is released first. */
function createDatabaseRetries(releaseClaimed: () => Promise<void>) {
  /** A statement failed, and may be stored all the same. */
  let isUncertain = false

  /**
   * Repeats a statement while the database is down: messages in flight must not become unconfirmed by a restart. What it
   * may have marked before the connection was lost is released.
   */
  async function untilAvailable<T>(statement: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        await releaseIfUncertain()
        return await statement()
      } catch (error) {
        isUncertain = true
        if (!isDatabaseUnavailable(error) || tries === databaseRetries) throw error
        await wait(databaseRetryMs)
      }
    }
  }

  /** Releases what a failed statement may have claimed. */
  async function releaseIfUncertain(): Promise<void> {
    if (!isUncertain) return
    await releaseClaimed()
    isUncertain = false
  }

  return { untilAvailable, releaseIfUncertain }
}
