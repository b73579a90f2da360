import { getPhone, sendPhoneCode, verifyPhone } from '@tidings/contracts/membership/phone'
import { callerOf } from '#features/auth/index.ts'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { withMessage } from '#http/membership/membership.ts'
import type { PhoneService } from './phone.service.ts'

/** Registers how members verify the number that receives their texts. */
export function registerPhoneRoutes(app: App, { phone }: { phone: PhoneService }): void {
  register(app, getPhone, async (request) => ({ data: await phone.get(sessionOf(request).memberId) }))

  register(app, sendPhoneCode, async (request) => {
    const data = await phone.sendCode(sessionOf(request).memberId, callerOf(request))
    const message = data.state === 'verified' ? 'Your number is confirmed.' : 'We texted you a code.'
    return withMessage(data, message)
  })

  register(app, verifyPhone, async (request) => {
    const data = await phone.verify(sessionOf(request).memberId, request.body, callerOf(request))
    return withMessage(data, 'Your number is confirmed.')
  })
}
