import { doneReply, verifyEmailRequest } from '@tidings/contracts/auth'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { type Authenticate, sessionOf } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
import { callerOf } from '../caller.ts'
import type { VerificationService } from './verification.service.ts'

const tags = ['Membership: account']

/** Proving by a code that an address is one's own. */
export function registerVerificationRoutes(
  app: App,
  { verification, authenticate }: { verification: VerificationService; authenticate: Authenticate },
): void {
  app.post(
    membershipPaths.sendEmailVerification,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: "Mails a code and a link that verify the member's address",
        response: { 200: doneReply },
      },
    },
    async (request) => {
      const isSent = await verification.send(appOf(request), sessionOf(request).memberId, callerOf(request))
      const message = isSent ? 'A code is on its way to your address.' : 'Your address is confirmed already.'
      return { data: { success: true as const }, _internalUseOnly: { message } }
    },
  )

  app.post(
    membershipPaths.verifyEmail,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Verifies an address with the code that was mailed to it',
        description:
          "Send the member's access token; that session and its password stay. Without one, send the account's " +
          '`password`, or a `newPassword` to set. The first verification removes every other password, provider and ' +
          'session of the account.',
        body: verifyEmailRequest,
        response: { 200: doneReply },
      },
    },
    async (request) => {
      const proof = await authenticate(request)
      const session = typeof proof === 'string' ? null : proof
      await verification.verify(appOf(request), request.body, { session, caller: callerOf(request) })
      return {
        data: { success: true as const },
        _internalUseOnly: { message: 'Your email address has been verified.' },
      }
    },
  )
}
