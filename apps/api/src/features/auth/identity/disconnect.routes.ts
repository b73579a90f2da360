import { disconnectProviderReply, disconnectProviderRequest } from '@tidings/contracts/auth'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import type { IdentityService } from './identity.service.ts'

/** Taking a way in away again. */
export function registerDisconnect(app: App, { identity }: { identity: IdentityService }): void {
  app.post(
    membershipPaths.disconnectProvider,
    {
      config: { access: 'member' },
      schema: {
        tags: ['Membership: social sign-in'],
        summary: 'Takes a way to log in away; refused when none would be left',
        body: disconnectProviderRequest,
        response: { 200: disconnectProviderReply },
      },
    },
    async (request) => {
      const providers = await identity.disconnect(sessionOf(request).memberId, request.body.provider)
      return {
        data: { providers },
        _internalUseOnly: { message: 'The sign-in is no longer connected to your account.' },
      }
    },
  )
}
