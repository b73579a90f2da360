import { setPasswordRequest, updateAuthRequest } from '@tidings/contracts/auth'
import { memberWithMessageReply } from '@tidings/contracts/members'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
import { callerOf } from '../caller.ts'
import type { AccountService } from './account.service.ts'

const tags = ['Membership: account']

/** What a member changes about how they log in. */
export function registerAccountRoutes(app: App, { account }: { account: AccountService }): void {
  app.post(
    membershipPaths.memberAuth,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Changes the address or the password; every other session ends',
        body: updateAuthRequest,
        response: { 200: memberWithMessageReply },
      },
    },
    async (request) => {
      const data = await account.update(appOf(request), sessionOf(request), request.body, callerOf(request))
      return { data, _internalUseOnly: { message: 'Your account has been updated.' } }
    },
  )

  app.post(
    membershipPaths.setPassword,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Sets a first password',
        body: setPasswordRequest,
        response: { 200: memberWithMessageReply },
      },
    },
    async (request) => {
      const data = await account.setPassword(appOf(request), sessionOf(request), request.body.password)
      return { data, _internalUseOnly: { message: 'Your password has been set.' } }
    },
  )
}
