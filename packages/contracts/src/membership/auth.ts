import { z } from 'zod'
import { dataWithMessage } from '../envelope.ts'
import { memberSchema } from './members.ts'

/** An email address. The server checks its form, so that the error has the protocol's code. */
const email = z.string().max(1_000)
const password = z.string().max(2_000)
const freeObject = z.record(z.string(), z.unknown())
const captchaToken = z.string().max(10_000).nullish()
const plans = z.array(z.object({ planId: z.string().max(100) })).max(20)

/** The session that login and sign-up return. `expires` is in milliseconds since 1970. */
const sessionSchema = z.object({
  tokens: z.object({ accessToken: z.string(), expires: z.number(), type: z.literal('bearer') }),
  member: memberSchema,
  redirect: z.string().nullable(),
})
export type MemberSession = z.infer<typeof sessionSchema>
export const sessionReply = dataWithMessage(sessionSchema)

export const loginRequest = z.object({ email, password })

/** Sign-up with a password, or with `?isPasswordless=true` and an emailed code. Unknown keys are ignored. */
export const signupRequest = z.object({
  email,
  password: password.nullish(),
  passwordlessToken: z.string().max(100).nullish(),
  customFields: freeObject.nullish(),
  metaData: freeObject.nullish(),
  captchaToken,
  plans: plans.nullish(),
  origin_domain: z.string().max(2_000).nullish(),
  rewardfulData: z.unknown().optional(),
})
export type SignupRequest = z.infer<typeof signupRequest>

export const signupQuery = z.object({ isPasswordless: z.string().optional() })

/** Body of the calls that email a code. */
export const sendCodeRequest = z.object({ email })
/** A solved captcha lifts the daily limit of sign-up codes of a network. */
export const sendSignupCodeRequest = z.object({ email, captchaToken })
/** The reply with only a message. It is the same for known and unknown addresses. */
export const doneReply = dataWithMessage(z.object({ success: z.literal(true) }))

export const passwordlessLoginRequest = z.object({ email, passwordlessToken: z.string().max(100) })

/** `email` binds the code to its address. Published clients don't send it. */
export const resetPasswordRequest = z.object({
  token: z.string().max(100),
  newPassword: password,
  email: email.nullish(),
})

/** `POST /auth/verify-email`: the emailed code, and without a session also the password or a new one. */
export const verifyEmailRequest = z.object({
  email,
  code: z.string().max(100),
  password: password.nullish(),
  newPassword: password.nullish(),
})
export type VerifyEmailRequest = z.infer<typeof verifyEmailRequest>

/** `POST /member-auth`: a new address or a new password. */
export const updateAuthRequest = z.object({
  email: email.nullish(),
  oldPassword: password.nullish(),
  newPassword: password.nullish(),
})

export const setPasswordRequest = z.object({ password })

export const logoutReply = dataWithMessage(z.object({ redirect: z.string().nullable() }))

export const disconnectProviderRequest = z.object({ provider: z.string().min(1).max(100) })
export const disconnectProviderReply = dataWithMessage(
  z.object({ providers: z.array(z.object({ provider: z.string() })) }),
)

/** `GET /auth/captcha/challenge`: the challenge of the built-in captcha. */
export const captchaChallengeReply = z.looseObject({})
