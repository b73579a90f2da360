import { liftedSuppressionReply, suppressionReply } from '@tidings/contracts/membership/members'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { memberRoute } from '#http/route-options.ts'
import type { SuppressionService } from './suppression.service.ts'

/** Registers the routes that show and lift a member's suppression. */
export function registerSuppressionRoutes(
  app: App,
  { suppression }: { suppression: SuppressionService },
): void {
  app.get(
    membershipPaths.suppression,
    memberRoute('members', 'Says why no editions are sent to the address; null if they are', {
      reply: suppressionReply,
    }),
    async (request) => ({ data: await suppression.find(sessionOf(request).memberId) }),
  )

  app.delete(
    membershipPaths.suppression,
    memberRoute('members', 'Sends editions to the address again; succeeds if they are sent', {
      reply: liftedSuppressionReply,
    }),
    async (request) => {
      await suppression.lift(sessionOf(request).memberId)
      return { data: { success: true } } as const
    },
  )
}
