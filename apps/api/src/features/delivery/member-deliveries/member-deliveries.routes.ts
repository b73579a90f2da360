import { memberDeliveriesReply, memberDeliveriesRequest } from '@tidings/contracts/delivery/deliveries'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { memberRoute } from '#http/route-options.ts'
import type { MemberDeliveryService } from './member-deliveries.service.ts'

/** Registers the routes of a member's own deliveries. */
export function registerMemberDeliveryRoutes(
  app: App,
  { memberDeliveries }: { memberDeliveries: MemberDeliveryService },
): void {
  app.get(
    membershipPaths.memberDeliveries,
    memberRoute('deliveries', 'Returns the next delivery and the last thirty', {
      reply: memberDeliveriesReply,
    }),
    async (request) => ({ data: await memberDeliveries.read(sessionOf(request).memberId) }),
  )

  app.post(
    membershipPaths.memberDeliveries,
    memberRoute(
      'deliveries',
      'Pauses all deliveries until a day, ends the pause, or chooses the pages of PDFs',
      {
        body: memberDeliveriesRequest,
        reply: memberDeliveriesReply,
      },
    ),
    async (request) => ({
      data: await memberDeliveries.change(sessionOf(request).memberId, request.body),
    }),
  )
}
