import type { MemberSession } from '@tidings/contracts/membership/auth'
import * as routes from '@tidings/contracts/membership/routes'
import { normalizeCode, normalizeEmail } from '@tidings/contracts/membership/typed-text'
import type { SessionStore } from '../session/session-store.ts'
import type { Reply } from '../wire/replies.ts'
import type { Send } from './request.ts'

type SignupParams = {
  email: string
  customFields?: Record<string, unknown>
  /** The page's own data, which no one else sees. */
  metaData?: Record<string, unknown>
  /** Free plans to add. */
  plans?: { planId: string }[]
  /** The token of the solved captcha. */
  captchaToken?: string
  /** The referral of the member, and its coupon. */
  rewardfulData?: { referral: string; coupon?: string }
}

export function createLoginCalls({ send, session }: { send: Send; session: SessionStore }) {
  async function openSession(call: () => Promise<Reply<MemberSession>>) {
    const start = session.begin()
    const reply = await call()
    session.open(reply.data, start)
    return reply
  }

  return {
    /** Creates an account and logs the member in. */
    signupMemberEmailPassword(params: SignupParams & { password: string }) {
      const body = { ...params, email: normalizeEmail(params.email), origin_domain: location.origin }
      return openSession(() => send(routes.signUp, { body }))
    },

    /** Logs in with a password. */
    loginMemberEmailPassword({ email, password }: Credentials) {
      return openSession(() => send(routes.login, { body: { email: normalizeEmail(email), password } }))
    },

    /** Emails a login code. The response is the same for unknown addresses. */
    sendMemberLoginPasswordlessEmail({ email }: { email: string }) {
      return send(routes.sendLoginCode, { body: { email: normalizeEmail(email) } })
    },

    /** Logs in with the code from the email. */
    loginMemberPasswordless({ email, passwordlessToken }: PasswordlessLogin) {
      const body = { email: normalizeEmail(email), passwordlessToken: normalizeCode(passwordlessToken) }
      return openSession(() => send(routes.loginWithCode, { body }))
    },

    /** Emails a sign-up code, or a login code to a known address. */
    sendMemberSignupPasswordlessEmail({ email, captchaToken }: Pick<SignupParams, 'email' | 'captchaToken'>) {
      return send(routes.sendSignupCode, { body: { email: normalizeEmail(email), captchaToken } })
    },

    /** Creates an account with the code from the email and logs the member in. */
    signupMemberPasswordless(params: SignupParams & { passwordlessToken: string }) {
      const body = {
        ...params,
        email: normalizeEmail(params.email),
        passwordlessToken: normalizeCode(params.passwordlessToken),
        origin_domain: location.origin,
      }
      return openSession(() => send(routes.signUp, { query: { isPasswordless: 'true' }, body }))
    },

    /** Emails a code for a new password. The response is the same for unknown addresses. */
    sendMemberResetPasswordEmail({ email }: { email: string }) {
      return send(routes.sendResetEmail, { body: { email: normalizeEmail(email) } })
    },

    /** Sets a new password with the code from the email and ends all sessions. `email` binds the code. */
    resetMemberPassword({ token, newPassword, email }: PasswordReset) {
      const body = { token: normalizeCode(token), newPassword, email: email && normalizeEmail(email) }
      return send(routes.resetPassword, { body })
    },

    /** Emails the member a code that verifies the address. */
    sendMemberVerificationEmail() {
      return send(routes.sendEmailVerification, { body: { origin_domain: location.origin } })
    },

    /** Verifies the address with the code from the email. A visitor also sends the account's password, or a new one. */
    async verifyMemberEmail(params: Verification) {
      const start = session.begin()
      const email = normalizeEmail(params.email)
      const body = { ...params, email, code: normalizeCode(params.code) }
      const reply = await send(routes.verifyEmail, { body })
      session.change((member) => {
        const isOwn = member?.auth.email.toLowerCase() === email.toLowerCase()
        return member && isOwn ? { ...member, verified: true } : null
      }, start)
      return reply
    },

    /** Ends the session on the server and in the browser. */
    async logout() {
      const start = session.begin()
      const reply = await send(routes.logout, {})
      session.leave(start)
      return reply
    },
  }
}

type Credentials = { email: string; password: string }
type PasswordlessLogin = { email: string; passwordlessToken: string }
type Verification = { email: string; code: string; password?: string; newPassword?: string }
type PasswordReset = { token: string; newPassword: string; email?: string }
