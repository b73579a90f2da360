import { pushLimits } from '@tidings/contracts/delivery/push-limits'
import { deviceName } from '@tidings/contracts/membership/device-name'
import type { AddPushDeviceRequest, PushDevice, PushDevices } from '@tidings/contracts/membership/push'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { LiveSession } from '#http/membership/member-session.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { PushSender } from '#integrations/push/push-sender.ts'
import { sha256 } from '#platform/ids.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { fail } from '../delivery.errors.ts'
import { hasDeliveringPlan } from '../ledger/recipients.repository.ts'
import {
  countPushDevices,
  listPushDevices,
  lockMemberOfDevices,
  lockSessionOfDevice,
  type PushDeviceRow,
  removePushDevice,
  removeUnreachedPushDevices,
  renewPushDevice,
  storePushDevice,
} from './push-devices.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'ids'> & {
  appId: string
  pushSender: Pick<PushSender, 'publicKey' | 'accepts'>
  rateLimits: RateLimits
}

const otherKeysKeptMs = 30 * 86_400_000

export type PushDeviceService = ReturnType<typeof createPushDevices>

/** Creates the service that stores the browsers to notify of new editions. */
export function createPushDevices({ database, clock, ids, appId, pushSender, rateLimits }: Deps) {
  return {
    async list({ id: sessionId, memberId }: LiveSession): Promise<PushDevices> {
      const devices = await listPushDevices(database.db, memberId)
      return {
        publicKey: pushSender.publicKey,
        planDelivers: await hasDeliveringPlan(database.db, memberId, appId),
        devices: devices.map((device) => toPushDevice(device, sessionId)),
      }
    },

    /**
     * Adds a browser to a session, with which it ends. One that the member has keeps its id, and one that another member
     * had becomes this member's. A new one needs a plan that delivers.
     */
    async add(
      session: LiveSession,
      { endpoint, keys }: AddPushDeviceRequest,
      userAgent: string,
    ): Promise<PushDevice> {
      const { id: sessionId, memberId } = session
      if (pushSender.publicKey === null) throw fail('push-off')
      await rateLimits.consume('pushDevices', memberId)
      if (!(await pushSender.accepts({ endpoint, ...keys }))) throw fail('push-service-refused')
      const device = {
        memberId,
        sessionId,
        name: deviceName(userAgent),
        endpoint,
        endpointHash: sha256(endpoint),
        ...keys,
        vapidKey: pushSender.publicKey,
        createdAt: clock.now(),
      }
      return await database.transaction(async (tx) => {
        const isLocked =
          (await lockMemberOfDevices(tx, memberId)) && (await lockSessionOfDevice(tx, session, clock.now()))
        if (!isLocked) throw failMembership('login-required')
        const renewed = await renewPushDevice(tx, device)
        if (renewed !== null) return toPushDevice(renewed, sessionId)
        if (!(await hasDeliveringPlan(tx, memberId, appId))) throw fail('push-needs-plan')
        if ((await countPushDevices(tx, memberId)) >= pushLimits.devices) throw fail('push-devices-full')
        return toPushDevice(await storePushDevice(tx, ids.uuid(), device), sessionId)
      })
    },

    async remove(memberId: string, id: string): Promise<void> {
      if (!(await removePushDevice(database.db, memberId, id))) throw fail('push-device-not-found')
    },

    /** Removes browsers that subscribed with another key, unless it was in use within 30 days: it may come back. */
    async removeOld(): Promise<void> {
      if (pushSender.publicKey === null) return
      const before = new Date(clock.now().getTime() - otherKeysKeptMs)
      await removeUnreachedPushDevices(database.db, pushSender.publicKey, before)
    },
  }
}

function toPushDevice(
  { id, name, createdAt, lastNotifiedAt, sessionId }: PushDeviceRow,
  asking: string,
): PushDevice {
  return {
    id,
    name,
    addedAt: createdAt.toISOString(),
    lastNotifiedAt: lastNotifiedAt?.toISOString() ?? null,
    current: sessionId === asking,
  }
}
