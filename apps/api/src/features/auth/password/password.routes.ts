import { loginRequest, sessionReply } from '@tidings/contracts/auth'
import { messages } from '@tidings/contracts/messages'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { appOf } from '#http/membership/membership.ts'
import { callerOf } from '../caller.ts'
import type { PasswordLogin } from './password.service.ts'

/** Logging in by password. */
export function registerPasswordRoutes(app: App, { passwordLogin }: { passwordLogin: PasswordLogin }): void {
  app.post(
    membershipPaths.login,
    {
      config: { access: 'public' },
      schema: {
        tags: ['Membership: logging in'],
        summary: 'Logs in by password',
        body: loginRequest,
        response: { 200: sessionReply },
      },
    },
    async (request) => {
      const data = await passwordLogin(appOf(request), request.body, callerOf(request))
      return { data, _internalUseOnly: { message: messages.loggedIn } }
    },
  )
}
