import { doneReply, verifyEmailRequest } from '@tidings/contracts/auth'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '../../../http/app-type.ts'
import { sessionOf } from '../../../http/membership/member-session.ts'
import { appOf } from '../../../http/membership/membership.ts'
import type { VerificationService } from './verification.service.ts'

const tags = ['Membership: account']

/** Proving by a code that an address is one's own. */
export function registerVerificationRoutes(
  app: App,
  { verification }: { verification: VerificationService },
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
      const isSent = await verification.send(appOf(request), sessionOf(request).memberId, request.ip)
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
        body: verifyEmailRequest,
        response: { 200: doneReply },
      },
    },
    async (request) => {
      await verification.verify(appOf(request), request.body, request.ip)
      return {
        data: { success: true as const },
        _internalUseOnly: { message: 'Your email address has been verified.' },
      }
    },
  )
}
