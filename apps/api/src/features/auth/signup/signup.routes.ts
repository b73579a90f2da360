import { sessionReply, signupQuery, signupRequest } from '@tidings/contracts/auth'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { appOf } from '#http/membership/membership.ts'
import { callerOf } from '../caller.ts'
import type { PasswordlessService } from '../passwordless/passwordless.service.ts'
import type { SignupService } from './signup.service.ts'

type Deps = { signup: SignupService; passwordless: PasswordlessService }

/** Signing up, by password or by code. */
export function registerSignupRoutes(app: App, { signup, passwordless }: Deps): void {
  app.post(
    membershipPaths.signup,
    {
      config: { access: 'public' },
      schema: {
        tags: ['Membership: signing up'],
        summary: 'Signs up with a password, or with `?isPasswordless=true` by the code that was mailed',
        querystring: signupQuery,
        body: signupRequest,
        response: { 200: sessionReply },
      },
    },
    async (request) => {
      const caller = callerOf(request, request.body.origin_domain)
      const way = request.query.isPasswordless === 'true' ? passwordless.signup : signup.byPassword
      const data = await way(appOf(request), request.body, caller)
      return { data, _internalUseOnly: { message: 'You have successfully signed up.' } }
    },
  )
}
