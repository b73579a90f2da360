import type { Slot } from '@tidings/contracts/edition-key'
import type { PushResult, PushSender, PushMessage as SentMessage } from '#integrations/push/push-sender.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import {
  listReachedPushDevices,
  type PushDeviceRow,
  removeGonePushDevice,
  storeNotified,
} from '../push/push-devices.repository.ts'
import { expiresAt, pushMessageOf, topicOf } from '../push/push-message.ts'
import { type HandOverResult, pushTransport, type Transport } from '../transports.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'logger'> & {
  pushSender: PushSender
  name: string
  language: string
  slots: readonly Slot[]
  timeZone: string
}

type Failure = Exclude<PushResult, { outcome: 'accepted' }>

/**
 * Notifies all browsers of a member as one delivery. One that got the notification is left out when the others are tried
 * again. Quiet hours don't apply: it is shown without a sound.
 */
export function createPushTransport(deps: Deps): Transport {
  const { database, clock, logger, pushSender } = deps

  /** Sends to a browser, unless it was notified. Returns the failure; null if it has the notification. */
  async function notify(device: PushDeviceRow, message: SentMessage, runId: number): Promise<Failure | null> {
    if (device.lastRunId === runId) return null
    const result = await pushSender.send(device, message)
    if (result.outcome === 'accepted') {
      await storeNotified(database.db, device, { runId, at: clock.now() })
      return null
    }
    if (result.outcome === 'gone') await removeGonePushDevice(database.db, device)
    return result
  }

  async function notifyAll(memberId: string, message: SentMessage, runId: number): Promise<HandOverResult> {
    const devices = await listReachedPushDevices(database.db, memberId, pushSender.publicKey)
    const results = await Promise.all(devices.map((device) => notify(device, message, runId)))
    const failures = results.filter((failure) => failure !== null)
    return resultOf(failures, devices.length, message)
  }

  /** Ends a delivery whose next edition is due: it was sent if one of the browsers got it. */
  async function closeLate(memberId: string, runId: number): Promise<HandOverResult> {
    const devices = await listReachedPushDevices(database.db, memberId, pushSender.publicKey)
    return devices.some(({ lastRunId }) => lastRunId === runId) ? { outcome: 'accepted' } : expired
  }

  /** Says what became of a delivery. It is tried again for the browsers that may still get it. */
  function resultOf(failures: readonly Failure[], of: number, { ttlSeconds }: SentMessage): HandOverResult {
    const open = failures.filter((failure) => failure.outcome === 'temporary')
    const [waiting] = open
    if (waiting !== undefined) {
      const latest = new Date(clock.now().getTime() + ttlSeconds * 1000)
      const times = open.flatMap(({ retryAt }) => (retryAt === null ? [] : [retryAt]))
      const [first] = times.sort((one, other) => one.getTime() - other.getTime())
      const retryAt = open.length > times.length ? null : (first ?? null)
      const { code } = waiting
      const response = `${waiting.response} (${open.length} of ${of} browsers)`
      return {
        outcome: 'temporary',
        code,
        response,
        retryAt: retryAt !== null && retryAt > latest ? latest : retryAt,
      }
    }
    if (failures.length < of) return { outcome: 'accepted' }
    const refused = failures.find(({ outcome }) => outcome === 'permanent') ?? failures[0]
    if (refused === undefined) return noBrowser
    const { code, response } = refused
    return { outcome: 'permanent', code, response }
  }

  return {
    ...pushTransport,
    concurrency: pushSender.concurrency,
    async postpone() {},
    async prepare({ editions: [first] }, _parts, { id: runId, sendAfter }) {
      if (pushSender.publicKey === null) return async () => notConfigured
      if (first === undefined) return async () => noBrowser
      const payload = JSON.stringify(pushMessageOf(first, deps))
      const topic = topicOf(first.edition)
      const expires = expiresAt(first.edition, { ...deps, sendAfter })
      return async ({ memberId, deliveryId }) => {
        const ttlSeconds = Math.ceil((expires.getTime() - clock.now().getTime()) / 1000)
        try {
          if (ttlSeconds <= 0) return await closeLate(memberId, runId)
          return await notifyAll(memberId, { payload, topic, ttlSeconds }, runId)
        } catch (error) {
          // The database failed in between; browsers that got it show a second one in its place.
          logger.warn({ err: error, deliveryId }, 'browser notification failed')
          return { outcome: 'temporary', code: 'database', response: 'The browsers could not be read' }
        }
      }
    },
    async followDomain() {},
    async refused() {},
  }
}

const notConfigured: HandOverResult = {
  outcome: 'unavailable',
  code: 'ENOTCONFIGURED',
  response: 'VAPID_PRIVATE_KEY is not set',
}
const noBrowser: HandOverResult = {
  outcome: 'permanent',
  code: 'no-browser',
  response: 'No browser of the member is left',
}
const expired: HandOverResult = {
  outcome: 'permanent',
  code: 'too-late',
  response: 'The next edition was due before the browsers could be notified',
}
