import type { MemberSession, SignupRequest } from '@tidings/contracts/membership/auth'
import { lockMemberByEmail } from '#features/members/index.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import { fail } from '../auth.errors.ts'
import type { Caller } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import { readEmail, requireReachable } from '../credentials.ts'
import { logIn, type SessionService } from '../sessions/sessions.service.ts'
import type { VerifyEmail } from '../verification/email-verification.ts'
import type { SignupService } from './signup.service.ts'

type Deps = Pick<AuthDeps, 'database' | 'rateLimits' | 'mailServers'> & {
  sessions: SessionService
  codes: CodeService
  signup: SignupService
  verifyEmail: VerifyEmail
}

type Purpose = 'login' | 'signup'

export type PasswordlessService = ReturnType<typeof createPasswordlessService>

/** Logs in and signs up with an emailed code, which verifies the address as well. */
export function createPasswordlessService(deps: Deps) {
  const { database, codes, signup, rateLimits, verifyEmail } = deps

  async function check(
    app: MembershipApp,
    purpose: Purpose,
    given: { email: string; digits: string },
    caller: Caller,
  ) {
    if (!app.passwordless.enabled) throw fail('passwordless-disabled')
    const binding = { appId: app.id, purpose, email: readEmail(given.email) }
    await rateLimits.consume('codeTries', caller.ip)
    const code = await codes.check(binding, given.digits, caller)
    if (code === null) throw fail('invalid-passwordless-login-code')
    return { code, binding }
  }

  async function begin(tx: Db, app: MembershipApp, memberId: string, caller: Caller): Promise<MemberSession> {
    const session = await logIn(tx, deps, app, { memberId, caller })
    if (session === null) throw fail('invalid-passwordless-login-code')
    return session
  }

  return {
    /** Emails a code for logging in or signing up; the same for every address. */
    async send(
      app: MembershipApp,
      purpose: Purpose,
      request: { email: string; captchaToken?: string | null | undefined },
      caller: Caller,
    ): Promise<void> {
      if (!app.passwordless.enabled) throw fail('passwordless-disabled')
      const email = readEmail(request.email)
      await rateLimits.consume('codes', caller.ip)
      await requireReachable(database.db, deps.mailServers, email)
      const captchaSolved = await signup.isCaptchaSolved(request.captchaToken, caller)
      await database.transaction((tx) => codes.request(tx, app, { purpose, email, captchaSolved }, caller))
    },
    async login(
      app: MembershipApp,
      { email, passwordlessToken: digits }: { email: string; passwordlessToken: string },
      caller: Caller,
    ): Promise<MemberSession> {
      const { code, binding } = await check(app, 'login', { email, digits }, caller)
      return await database.transaction(async (tx) => {
        const member = await lockMemberByEmail(tx, app.id, binding.email)
        if (member === null || !(await codes.claim(tx, code, binding))) {
          throw fail('invalid-passwordless-login-code')
        }
        await verifyEmail(tx, app, member, {})
        return await begin(tx, app, member.id, caller)
      })
    },
    /** Creates an account with the code; logs in if the address has one. */
    async signup(app: MembershipApp, request: SignupRequest, caller: Caller): Promise<MemberSession> {
      const application = signup.readApplication(app, request)
      const digits = request.passwordlessToken ?? ''
      const { code, binding } = await check(app, 'signup', { email: request.email, digits }, caller)
      return await database.transaction(async (tx) => {
        const known = await lockMemberByEmail(tx, app.id, binding.email)
        if (!(await codes.claim(tx, code, binding))) throw fail('invalid-passwordless-login-code')
        if (known !== null) await verifyEmail(tx, app, known, {})
        const applicant = { ...application, email: binding.email, verified: true, passwordHash: null }
        const memberId = known?.id ?? (await signup.create(tx, app, applicant, caller))
        if (memberId === null) throw fail('invalid-passwordless-login-code')
        return await begin(tx, app, memberId, caller)
      })
    },
  }
}
