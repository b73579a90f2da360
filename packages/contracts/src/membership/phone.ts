import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { dataOf, dataWithMessage } from '../envelope.ts'
import * as routes from './routes.ts'

/** Whether texts can be sent to the member's number: there is none, it is no phone number, or it is not verified. */
const phone = z.object({
  number: z.string().nullable().describe('In E.164; null if there is none'),
  state: z.enum(['missing', 'invalid', 'unverified', 'verified']),
  obstacle: z
    .enum(['country-not-served', 'not-mobile', 'email-not-verified'])
    .nullable()
    .describe('Why no code is texted to the number. One that was verified before gets texts nevertheless.'),
})
export type Phone = z.infer<typeof phone>

/** `GET /member/phone`. */
export const phoneReply = dataOf(phone)

/** `POST /member/phone/verification` and `/member/phone/verify`. */
export const phoneWithMessageReply = dataWithMessage(phone)

/** Body of `POST /member/phone/verify`. Texts keep quiet hours in the time zone; by default the site's. */
export const verifyPhoneRequest = z.object({
  code: z.string().max(100),
  timeZone: z.string().max(64).nullish(),
})
export type VerifyPhoneRequest = z.infer<typeof verifyPhoneRequest>

export const getPhone = endpoint(routes.getPhone, {
  access: 'member',
  tag: 'Membership: members',
  summary: "Returns the member's phone number, and whether it is verified",
  reply: phoneReply,
})

export const sendPhoneCode = endpoint(routes.sendPhoneCode, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Texts a code to the phone number, and records the consent to texts',
  reply: phoneWithMessageReply,
})

export const verifyPhone = endpoint(routes.verifyPhone, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Verifies the phone number by the code in the text',
  body: verifyPhoneRequest,
  reply: phoneWithMessageReply,
})
