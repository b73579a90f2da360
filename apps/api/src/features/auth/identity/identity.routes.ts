import { disconnectProvider } from '@tidings/contracts/membership/auth'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { withMessage } from '#http/membership/membership.ts'
import type { IdentityService } from './identity.service.ts'

/** Registers the end of a connection with an identity provider. */
export function registerIdentityRoutes(app: App, { identity }: { identity: IdentityService }): void {
  register(app, disconnectProvider, async (request) => {
    const providers = await identity.disconnect(sessionOf(request).memberId, request.body.provider)
    return withMessage({ providers }, 'You can no longer log in this way.')
  })
}
