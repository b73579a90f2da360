import { doneReply, resetPasswordRequest, sendCodeRequest } from '@tidings/contracts/auth'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { appOf } from '#http/membership/membership.ts'
import { callerOf } from '../caller.ts'
import { codeSent } from '../codes/code-sent.ts'
import type { ResetService } from './reset.service.ts'

const tags = ['Membership: account']

/** A new password by a code. */
export function registerResetRoutes(app: App, { reset }: { reset: ResetService }): void {
  app.post(
    membershipPaths.sendResetPasswordEmail,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Mails a code for a new password',
        description: 'The answer is the same, in the same time, whether or not the address is known.',
        body: sendCodeRequest,
        response: { 200: doneReply },
      },
    },
    async (request) => {
      await reset.send(appOf(request), request.body.email, callerOf(request))
      return codeSent
    },
  )

  app.post(
    membershipPaths.resetPassword,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Sets a new password with the code that was mailed; every session ends',
        body: resetPasswordRequest,
        response: { 200: doneReply },
      },
    },
    async (request) => {
      await reset.reset(appOf(request), request.body, callerOf(request))
      return {
        data: { success: true as const },
        _internalUseOnly: { message: 'Your password has been reset. Please log in with the new one.' },
      }
    },
  )
}
