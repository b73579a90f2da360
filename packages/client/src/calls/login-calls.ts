import type { doneReply, logoutReply, sessionReply } from '@tidings/contracts/membership/auth'
import { normalizeCode, normalizeEmail } from '@tidings/contracts/membership/typed-text'
import type { SessionStore } from '../session/session-store.ts'
import type { DataOf, Reply } from '../wire/replies.ts'
import type { Send } from './request.ts'

type Session = DataOf<typeof sessionReply>
type Done = DataOf<typeof doneReply>

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
  async function openSession(...call: Parameters<Send>): Promise<Reply<Session>> {
    const start = session.begin()
    const reply = await send<Session>(...call)
    session.open(reply.data, start)
    return reply
  }

  function sendCode(path: MailPath, email: string): Promise<Reply<Done>> {
    return send('POST', path, { body: { email: normalizeEmail(email) } })
  }

  return {
    /** Creates an account and logs the member in. */
    signupMemberEmailPassword(params: SignupParams & { password: string }): Promise<Reply<Session>> {
      const body = { ...params, email: normalizeEmail(params.email), origin_domain: location.origin }
      return openSession('POST', '/auth/signup', { body })
    },

    /** Logs in with a password. */
    loginMemberEmailPassword({ email, password }: Credentials): Promise<Reply<Session>> {
      return openSession('POST', '/auth/login', { body: { email: normalizeEmail(email), password } })
    },

    /** Emails a login code. The response is the same for unknown addresses. */
    sendMemberLoginPasswordlessEmail({ email }: { email: string }): Promise<Reply<Done>> {
      return sendCode('/auth/passwordless/login/send', email)
    },

    /** Logs in with the code from the email. */
    loginMemberPasswordless({ email, passwordlessToken }: PasswordlessLogin): Promise<Reply<Session>> {
      const body = { email: normalizeEmail(email), passwordlessToken: normalizeCode(passwordlessToken) }
      return openSession('POST', '/auth/passwordless/login', { body })
    },

    /** Emails a sign-up code, or a login code to a known address. */
    sendMemberSignupPasswordlessEmail(
      params: Pick<SignupParams, 'email' | 'captchaToken'>,
    ): Promise<Reply<Done>> {
      const { captchaToken } = params
      const email = normalizeEmail(params.email)
      return send('POST', '/auth/passwordless/signup/send', { body: { email, captchaToken } })
    },

    /** Creates an account with the code from the email and logs the member in. */
    signupMemberPasswordless(params: SignupParams & { passwordlessToken: string }): Promise<Reply<Session>> {
      const body = {
        ...params,
        email: normalizeEmail(params.email),
        passwordlessToken: normalizeCode(params.passwordlessToken),
        origin_domain: location.origin,
      }
      return openSession('POST', '/auth/signup', { query: { isPasswordless: true }, body })
    },

    /** Emails a code for a new password. The response is the same for unknown addresses. */
    sendMemberResetPasswordEmail({ email }: { email: string }): Promise<Reply<Done>> {
      return sendCode('/auth/send-reset-password-email', email)
    },

    /** Sets a new password with the code from the email and ends all sessions. `email` binds the code. */
    resetMemberPassword({ token, newPassword, email }: PasswordReset): Promise<Reply<Done>> {
      const body = { token: normalizeCode(token), newPassword, email: email && normalizeEmail(email) }
      return send('POST', '/auth/reset-password', { body })
    },

    /** Emails the member a code that verifies the address. */
    sendMemberVerificationEmail(): Promise<Reply<Done>> {
      return send('POST', '/auth/send-email-verification', { body: { origin_domain: location.origin } })
    },

    /** Verifies the address with the code from the email. A visitor also sends the account's password, or a new one. */
    async verifyMemberEmail(params: Verification): Promise<Reply<Done>> {
      const start = session.begin()
      const email = normalizeEmail(params.email)
      const body = { ...params, email, code: normalizeCode(params.code) }
      const reply = await send<Done>('POST', '/auth/verify-email', { body })
      session.change((member) => {
        const isOwn = member?.auth.email.toLowerCase() === email.toLowerCase()
        return member && isOwn ? { ...member, verified: true } : null
      }, start)
      return reply
    },

    /** Ends the session on the server and in the browser. */
    async logout(): Promise<Reply<DataOf<typeof logoutReply>>> {
      const start = session.begin()
      const reply = await send<DataOf<typeof logoutReply>>('POST', '/member/logout')
      session.leave(start)
      return reply
    },
  }
}

type Credentials = { email: string; password: string }
type PasswordlessLogin = { email: string; passwordlessToken: string }
type Verification = { email: string; code: string; password?: string; newPassword?: string }
type PasswordReset = { token: string; newPassword: string; email?: string }
type MailPath =
  | '/auth/passwordless/login/send'
  | '/auth/passwordless/signup/send'
  | '/auth/send-reset-password-email'
