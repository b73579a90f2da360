import { disconnectProviderReply, disconnectProviderRequest } from '@tidings/contracts/membership/auth'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { memberRoute, withMessage } from '#http/endpoints/route-options.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import type { IdentityService } from './identity.service.ts'

/** Registers the end of a connection with an identity provider. */
export function registerIdentityRoutes(app: App, { identity }: { identity: IdentityService }): void {
  app.post(
    membershipPaths.disconnectProvider,
    memberRoute('social sign-in', 'Disconnects an identity provider, unless it is the last way to log in', {
      body: disconnectProviderRequest,
      reply: disconnectProviderReply,
    }),
    async (request) => {
      const providers = await identity.disconnect(sessionOf(request).memberId, request.body.provider)
      return withMessage({ providers }, 'You can no longer log in this way.')
    },
  )
}
