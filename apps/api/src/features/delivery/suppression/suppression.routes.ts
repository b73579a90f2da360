import { endSuppression, getSuppression } from '@tidings/contracts/membership/members'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import type { SuppressionService } from './suppression.service.ts'

/** Registers the routes that show and lift a member's suppression. */
export function registerSuppressionRoutes(
  app: App,
  { suppression }: { suppression: SuppressionService },
): void {
  register(app, getSuppression, async (request) => ({
    data: await suppression.find(sessionOf(request).memberId),
  }))

  register(app, endSuppression, async (request) => {
    await suppression.lift(sessionOf(request).memberId)
    return { data: { success: true } } as const
  })
}
