import { getMemberDeliveries, updateMemberDeliveries } from '@tidings/contracts/membership/deliveries'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import type { MemberDeliveryService } from './member-deliveries.service.ts'

/** Registers the routes of a member's own deliveries. */
export function registerMemberDeliveryRoutes(
  app: App,
  { memberDeliveries }: { memberDeliveries: MemberDeliveryService },
): void {
  register(app, getMemberDeliveries, async (request) => ({
    data: await memberDeliveries.read(sessionOf(request).memberId),
  }))

  register(app, updateMemberDeliveries, async (request) => ({
    data: await memberDeliveries.change(sessionOf(request).memberId, request.body),
  }))
}
