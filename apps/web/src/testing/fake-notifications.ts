import {
  addPushDevice,
  listPushDevices,
  type PushDevice,
  type PushDevices,
  removePushDevice,
} from '@tidings/contracts/membership/push'
import { fake } from './fake.ts'

/** The browsers of a member that are notified. `endpoints` are those that were added, newest last. */
export type FakeNotifications = PushDevices & { endpoints: string[] }

/** Returns notifications that are off at the site. */
export function fakeNotifications(notifications: Partial<FakeNotifications> = {}): FakeNotifications {
  return { publicKey: null, planDelivers: true, devices: [], endpoints: [], ...notifications }
}

/** Returns a notified browser on the wire. */
export function wirePushDevice(device: Partial<PushDevice> = {}): PushDevice {
  return {
    id: '00000000-0000-4000-8000-00000000000a',
    name: 'Firefox on Linux',
    addedAt: '2026-11-18T18:00:00.000Z',
    lastNotifiedAt: null,
    current: false,
    ...device,
  }
}

/** Removes the browsers of a session that ends. */
export function endSessionDevices(notifications: FakeNotifications): void {
  notifications.devices = notifications.devices.filter(({ current }) => !current)
}

/** Returns the handlers of the calls about notifications. */
export function notificationHandlers(notifications: FakeNotifications) {
  return [
    fake(listPushDevices, () => ({ data: notifications })),
    fake(addPushDevice, ({ body: { endpoint } }) => {
      notifications.endpoints.push(endpoint)
      const count = String(notifications.endpoints.length).padStart(12, '0')
      const device = wirePushDevice({
        id: `00000000-0000-4000-8000-${count}`,
        name: 'Chrome on Android',
        current: true,
      })
      notifications.devices = [device, ...notifications.devices]
      return { data: device }
    }),
    fake(removePushDevice, ({ params }) => {
      notifications.devices = notifications.devices.filter(({ id }) => id !== params.id)
      return { data: { id: params.id } }
    }),
  ]
}
