import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { dataWithMessage } from '../envelope.ts'
import { memberSchema, memberWithMessageReply } from './members.ts'
import * as routes from './routes.ts'

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

export const captchaChallenge = endpoint(routes.captchaChallenge, {
  access: 'public',
  tag: 'Membership: signing up',
  summary: 'Returns a new challenge if CAPTCHA is altcha',
  reply: captchaChallengeReply,
})

export const disconnectProvider = endpoint(routes.disconnectProvider, {
  access: 'member',
  tag: 'Membership: social sign-in',
  summary: 'Disconnects an identity provider, unless it is the last way to log in',
  body: disconnectProviderRequest,
  reply: disconnectProviderReply,
})

const sameReply = 'The response and its time are the same whether or not the address has an account.'

export const login = endpoint(routes.login, {
  access: 'public',
  tag: 'Membership: logging in',
  summary: 'Logs in by password',
  body: loginRequest,
  reply: sessionReply,
})

export const sendLoginCode = endpoint(routes.sendLoginCode, {
  access: 'public',
  tag: 'Membership: logging in',
  summary: 'Emails a login code',
  description: sameReply,
  body: sendCodeRequest,
  reply: doneReply,
})

export const loginWithCode = endpoint(routes.loginWithCode, {
  access: 'public',
  tag: 'Membership: logging in',
  summary: 'Logs in with an emailed code',
  body: passwordlessLoginRequest,
  reply: sessionReply,
})

export const signUp = endpoint(routes.signUp, {
  access: 'public',
  tag: 'Membership: signing up',
  summary: 'Signs up with a password or, with `?isPasswordless=true`, an emailed code',
  query: signupQuery,
  body: signupRequest,
  reply: sessionReply,
})

export const sendSignupCode = endpoint(routes.sendSignupCode, {
  access: 'public',
  tag: 'Membership: signing up',
  summary: 'Emails a sign-up code or, to an address with an account, a login code',
  body: sendSignupCodeRequest,
  reply: doneReply,
})

export const sendResetEmail = endpoint(routes.sendResetEmail, {
  access: 'public',
  tag: 'Membership: account',
  summary: 'Emails a password reset code',
  description: sameReply,
  body: sendCodeRequest,
  reply: doneReply,
})

export const resetPassword = endpoint(routes.resetPassword, {
  access: 'public',
  tag: 'Membership: account',
  summary: 'Sets a new password with an emailed code and ends every session',
  body: resetPasswordRequest,
  reply: doneReply,
})

export const sendEmailVerification = endpoint(routes.sendEmailVerification, {
  access: 'member',
  tag: 'Membership: account',
  summary: "Emails a code and a link that verify the member's address",
  body: z.unknown().describe('Ignored. Published clients send their `origin_domain`'),
  reply: doneReply,
})

export const verifyEmail = endpoint(routes.verifyEmail, {
  access: 'public',
  tag: 'Membership: account',
  summary: 'Verifies an address with the code that was emailed to it',
  description:
    "Send the member's access token or the account's `password`; both keep every session and login method. " +
    'Without either, send a `newPassword` to set. The first verification then removes every other password, ' +
    'provider and session of the account.',
  body: verifyEmailRequest,
  reply: doneReply,
})

export const logout = endpoint(routes.logout, {
  access: 'public',
  tag: 'Membership: logging in',
  summary: 'Ends the session; succeeds if it has ended before',
  reply: logoutReply,
})

export const updateAuth = endpoint(routes.updateAuth, {
  access: 'member',
  tag: 'Membership: account',
  summary: 'Changes the address or the password and ends every other session',
  body: updateAuthRequest,
  reply: memberWithMessageReply,
})

export const setPassword = endpoint(routes.setPassword, {
  access: 'member',
  tag: 'Membership: account',
  summary: 'Sets a first password',
  body: setPasswordRequest,
  reply: memberWithMessageReply,
})
