import { addPushDevice, listPushDevices, removePushDevice } from '@tidings/contracts/membership/push'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { fail } from '../delivery.errors.ts'
import type { PushDeviceService } from './push-devices.service.ts'

/** Registers the routes of the browsers that are notified of new editions. */
export function registerPushDeviceRoutes(
  app: App,
  { pushDevices }: { pushDevices: PushDeviceService },
): void {
  register(app, listPushDevices, async (request) => ({ data: await pushDevices.list(sessionOf(request)) }))

  register(app, addPushDevice, async (request) => {
    const userAgent = request.headers['user-agent'] ?? ''
    return { data: await pushDevices.add(sessionOf(request), request.body, userAgent) }
  })

  register(app, removePushDevice, async (request) => {
    const { success, data: id } = z.uuid().safeParse(request.params.id)
    if (!success) throw fail('push-device-not-found')
    await pushDevices.remove(sessionOf(request).memberId, id)
    return { data: { id } }
  })
}
