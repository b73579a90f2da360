import type { AddPushDeviceRequest, PushDevice, PushDevices } from '@tidings/contracts/delivery/push'
import { pushLimits } from '@tidings/contracts/delivery/push-limits'
import { deviceName } from '@tidings/contracts/membership/device-name'
import type { RateLimits } from '#http/rate-limits.ts'
import type { PushSender } from '#integrations/push/push-sender.ts'
import type { PlatformDeps } from '#platform/deps.ts'
import { sha256 } from '#platform/ids.ts'
import { fail } from '../delivery.errors.ts'
import {
  countPushDevices,
  listPushDevices,
  lockMemberOfDevices,
  type PushDeviceRow,
  removePushDevice,
  renewPushDevice,
  storePushDevice,
} from './push-devices.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'ids'> & {
  pushSender: Pick<PushSender, 'publicKey' | 'accepts'>
  rateLimits: RateLimits
}

export type PushDeviceService = ReturnType<typeof createPushDevices>

/** Keeps the browsers that are notified of new editions. */
export function createPushDevices({ database, clock, ids, pushSender, rateLimits }: Deps) {
  return {
    async list(memberId: string): Promise<PushDevices> {
      const devices = await listPushDevices(database.db, memberId)
      return { publicKey: pushSender.publicKey, devices: devices.map(toPushDevice) }
    },

    /** Adds a browser. One that the member has keeps its id, and one that another member had becomes this member's. */
    async add(
      memberId: string,
      { endpoint, keys }: AddPushDeviceRequest,
      userAgent: string,
    ): Promise<PushDevice> {
      if (pushSender.publicKey === null) throw fail('push-off')
      await rateLimits.consume('memberWrites', memberId)
      if (!(await pushSender.accepts({ endpoint, ...keys }))) throw fail('push-service-refused')
      const device = {
        memberId,
        name: deviceName(userAgent),
        endpoint,
        endpointHash: sha256(endpoint),
        ...keys,
        createdAt: clock.now(),
      }
      return await database.transaction(async (tx) => {
        if (!(await lockMemberOfDevices(tx, memberId))) throw fail('push-device-not-found')
        const renewed = await renewPushDevice(tx, device)
        if (renewed !== null) return toPushDevice(renewed)
        if ((await countPushDevices(tx, memberId)) >= pushLimits.devices) throw fail('push-devices-full')
        return toPushDevice(await storePushDevice(tx, ids.uuid(), device))
      })
    },

    async remove(memberId: string, id: string): Promise<void> {
      if (!(await removePushDevice(database.db, memberId, id))) throw fail('push-device-not-found')
    },
  }
}

function toPushDevice({ id, name, createdAt, lastNotifiedAt }: PushDeviceRow): PushDevice {
  return {
    id,
    name,
    addedAt: createdAt.toISOString(),
    lastNotifiedAt: lastNotifiedAt?.toISOString() ?? null,
  }
}
