import type { doneReply, logoutReply, sessionReply } from '@tidings/contracts/auth'
import type { DataOf, Reply } from './replies.ts'
import type { Send } from './request.ts'
import type { SessionStore } from './session-store.ts'

type Session = DataOf<typeof sessionReply>
type Done = DataOf<typeof doneReply>

/** What a new member may bring along, whichever way it signs up. */
type SignupParams = {
  email: string
  customFields?: Record<string, unknown>
  /** Data of the page's own, not shown to anybody. */
  metaData?: Record<string, unknown>
  /** Free plans to begin with. */
  plans?: { planId: string }[]
  /** Proof that the app's captcha was solved. */
  captchaToken?: string
  /** Who referred the member, and the coupon that came with it. */
  rewardfulData?: { referral: string; coupon?: string }
}

/** Sign-up, login and logout, and the codes by e-mail that lead there. */
export function createLoginCalls({ send, session }: { send: Send; session: SessionStore }) {
  async function enter(...call: Parameters<Send>): Promise<Reply<Session>> {
    const begun = session.begin()
    const reply = await send<Session>(...call)
    session.open(reply.data, begun)
    return reply
  }

  function mailCode(path: MailPath, email: string): Promise<Reply<Done>> {
    return send('POST', path, { body: { email } })
  }

  return {
    /** Makes an account and logs it in. */
    signupMemberEmailPassword(params: SignupParams & { password: string }): Promise<Reply<Session>> {
      return enter('POST', '/auth/signup', { body: { ...params, origin_domain: location.origin } })
    },

    /** Logs in by password. */
    loginMemberEmailPassword({ email, password }: Credentials): Promise<Reply<Session>> {
      return enter('POST', '/auth/login', { body: { email, password } })
    },

    /** Mails a code to log in with; the answer is the same whether or not the address is known. */
    sendMemberLoginPasswordlessEmail({ email }: { email: string }): Promise<Reply<Done>> {
      return mailCode('/auth/passwordless/login/send', email)
    },

    /** Logs in with the code that was mailed. */
    loginMemberPasswordless({ email, passwordlessToken }: PasswordlessLogin): Promise<Reply<Session>> {
      return enter('POST', '/auth/passwordless/login', { body: { email, passwordlessToken } })
    },

    /** Mails a code to sign up with; a known address gets one to log in with. */
    sendMemberSignupPasswordlessEmail(
      params: Pick<SignupParams, 'email' | 'captchaToken'>,
    ): Promise<Reply<Done>> {
      const { email, captchaToken } = params
      return send('POST', '/auth/passwordless/signup/send', { body: { email, captchaToken } })
    },

    /** Makes an account with the code that was mailed, and logs it in. */
    signupMemberPasswordless(params: SignupParams & { passwordlessToken: string }): Promise<Reply<Session>> {
      const body = { ...params, origin_domain: location.origin }
      return enter('POST', '/auth/signup', { query: { isPasswordless: true }, body })
    },

    /** Mails a code to set a new password with; the answer is the same whether or not the address is known. */
    sendMemberResetPasswordEmail({ email }: { email: string }): Promise<Reply<Done>> {
      return mailCode('/auth/send-reset-password-email', email)
    },

    /** Sets a new password by the code that was mailed. All sessions of the member end. `email` binds the code. */
    resetMemberPassword({ token, newPassword, email }: PasswordReset): Promise<Reply<Done>> {
      return send('POST', '/auth/reset-password', { body: { token, newPassword, email } })
    },

    /** Mails the logged-in member a code that verifies its address. */
    sendMemberVerificationEmail(): Promise<Reply<Done>> {
      return send('POST', '/auth/send-email-verification', { body: { origin_domain: location.origin } })
    },

    /**
     * Verifies the address by the code that was mailed. A visitor also sends the account's password, or a new one.
     */
    async verifyMemberEmail(params: Verification): Promise<Reply<Done>> {
      const begun = session.begin()
      const reply = await send<Done>('POST', '/auth/verify-email', { body: params })
      session.change((member) => {
        const isOwn = member?.auth.email.toLowerCase() === params.email.trim().toLowerCase()
        return member && isOwn ? { ...member, verified: true } : null
      }, begun)
      return reply
    },

    /** Ends the session on the server and in the browser. */
    async logout(): Promise<Reply<DataOf<typeof logoutReply>>> {
      const begun = session.begin()
      const reply = await send<DataOf<typeof logoutReply>>('POST', '/member/logout')
      session.leave(begun)
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
