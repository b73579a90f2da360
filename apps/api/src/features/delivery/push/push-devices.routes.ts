import * as contract from '@tidings/contracts/delivery/push'
import { describedError } from '@tidings/contracts/errors'
import { membershipPaths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { memberRoute } from '#http/endpoints/route-options.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { fail } from '../delivery.errors.ts'
import type { PushDeviceService } from './push-devices.service.ts'

/** Registers the routes of the browsers that are notified of new editions. */
export function registerPushDeviceRoutes(
  app: App,
  { pushDevices }: { pushDevices: PushDeviceService },
): void {
  app.get(
    membershipPaths.pushDevices,
    memberRoute('deliveries', 'Lists the browsers that are notified of new editions, newest first', {
      reply: contract.pushDevicesReply,
    }),
    async (request) => ({ data: await pushDevices.list(sessionOf(request)) }),
  )

  app.post(
    membershipPaths.pushDevices,
    memberRoute('deliveries', 'Adds a browser that gets notifications, by its push subscription', {
      description:
        'It ends with the session that adds it, and goes on if that expires. A browser that is added again keeps its id, and belongs to the session of this call. One that another member added in the same browser no longer notifies that member.',
      body: contract.addPushDeviceRequest,
      reply: contract.addedPushDeviceReply,
      errors: {
        400: describedError('Messages cannot be sent to the subscription'),
        409: describedError(
          'The member has ten browsers already or no plan that delivers editions, or notifications are off',
        ),
      },
    }),
    async (request) => {
      const userAgent = request.headers['user-agent'] ?? ''
      return { data: await pushDevices.add(sessionOf(request), request.body, userAgent) }
    },
  )

  app.delete(
    membershipPaths.pushDevice,
    memberRoute('deliveries', 'Ends the notifications of one of the member’s own browsers', {
      params: z.object({ id: z.string() }),
      reply: contract.removedPushDeviceReply,
    }),
    async (request) => {
      const { success, data: id } = z.uuid().safeParse(request.params.id)
      if (!success) throw fail('push-device-not-found')
      await pushDevices.remove(sessionOf(request).memberId, id)
      return { data: { id } }
    },
  )
}
