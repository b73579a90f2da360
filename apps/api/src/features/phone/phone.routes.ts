import * as contract from '@tidings/contracts/membership/phone'
import { membershipPaths } from '@tidings/contracts/paths'
import { callerOf } from '#features/auth/index.ts'
import type { App } from '#http/app-type.ts'
import { memberRoute, withMessage } from '#http/endpoints/route-options.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import type { PhoneService } from './phone.service.ts'

/** Registers how members verify the number that receives their texts. */
export function registerPhoneRoutes(app: App, { phone }: { phone: PhoneService }): void {
  app.get(
    membershipPaths.phone,
    memberRoute('members', "Returns the member's phone number, and whether it is verified", {
      reply: contract.phoneReply,
    }),
    async (request) => ({ data: await phone.get(sessionOf(request).memberId) }),
  )

  app.post(
    membershipPaths.phoneVerification,
    memberRoute('members', 'Texts a code to the phone number, and records the consent to texts', {
      reply: contract.phoneWithMessageReply,
    }),
    async (request) => {
      const data = await phone.sendCode(sessionOf(request).memberId, callerOf(request))
      const message = data.state === 'verified' ? 'Your number is confirmed.' : 'We texted you a code.'
      return withMessage(data, message)
    },
  )

  app.post(
    membershipPaths.verifyPhone,
    memberRoute('members', 'Verifies the phone number by the code in the text', {
      body: contract.verifyPhoneRequest,
      reply: contract.phoneWithMessageReply,
    }),
    async (request) => {
      const data = await phone.verify(sessionOf(request).memberId, request.body, callerOf(request))
      return withMessage(data, 'Your number is confirmed.')
    },
  )
}
