import type { MemberSession, SignupRequest } from '@tidings/contracts/auth'
import { findMember, lockMemberByEmail, type MemberService } from '#features/members/index.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import type { Database, Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { InvalidPasswordlessCodeError, PasswordlessDisabledError } from '../auth.errors.ts'
import type { Caller } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import { readEmail } from '../credentials.ts'
import type { FirstProof } from '../first-proof.ts'
import { toSessionReply } from '../session-reply.ts'
import type { SessionService } from '../sessions/sessions.service.ts'
import type { SignupService } from '../signup/signup.service.ts'

type Deps = {
  database: Database
  members: MemberService
  sessions: SessionService
  codes: CodeService
  signup: SignupService
  rateLimits: RateLimits
  prove: FirstProof
}

export type PasswordlessService = {
  /** Mails a code for logging in, or for signing up; the answer is the same whether or not the address is known. */
  send(
    app: MembershipApp,
    purpose: 'login' | 'signup',
    request: { email: string; captchaToken?: string | null | undefined },
    caller: Caller,
  ): Promise<void>
  login(
    app: MembershipApp,
    request: { email: string; passwordlessToken: string },
    caller: Caller,
  ): Promise<MemberSession>
  /** Makes an account with the code; for an address that has one already it logs in. */
  signup(app: MembershipApp, request: SignupRequest, caller: Caller): Promise<MemberSession>
}

/** Logging in and signing up by a code that was mailed, which proves the address as well. */
export function createPasswordlessService(deps: Deps): PasswordlessService {
  const { database, members, sessions, codes, signup, rateLimits, prove } = deps

  async function check(
    app: MembershipApp,
    purpose: 'login' | 'signup',
    request: { email: string; digits: string },
    caller: Caller,
  ) {
    if (!app.passwordless.enabled) throw new PasswordlessDisabledError()
    const binding = { appId: app.id, purpose, email: readEmail(request.email) }
    await rateLimits.consume('codeTries', caller.ip)
    const code = await codes.check(binding, request.digits, caller)
    if (code === null) throw new InvalidPasswordlessCodeError()
    return { code, binding }
  }

  async function begin(tx: Db, app: MembershipApp, memberId: string, caller: Caller): Promise<MemberSession> {
    const session = await sessions.begin(tx, app, memberId, { caller })
    const row = await findMember(tx, memberId)
    if (session === null || row === null) throw new InvalidPasswordlessCodeError()
    return toSessionReply(members, app, row, session)
  }

  return {
    async send(app, purpose, request, caller) {
      if (!app.passwordless.enabled) throw new PasswordlessDisabledError()
      const email = readEmail(request.email)
      await rateLimits.consume('codes', caller.ip)
      const captchaSolved = await signup.isCaptchaSolved(request.captchaToken, caller)
      await database.transaction((tx) => codes.request(tx, app, { purpose, email, captchaSolved }, caller))
    },
    async login(app, request, caller) {
      const { email, passwordlessToken: digits } = request
      const { code, binding } = await check(app, 'login', { email, digits }, caller)
      return await database.transaction(async (tx) => {
        const member = await lockMemberByEmail(tx, app.id, binding.email)
        if (member === null || !(await codes.claim(tx, code, binding))) {
          throw new InvalidPasswordlessCodeError()
        }
        await prove(tx, app, member)
        return await begin(tx, app, member.id, caller)
      })
    },
    async signup(app, request, caller) {
      const application = signup.readApplication(app, request)
      const digits = request.passwordlessToken ?? ''
      const { code, binding } = await check(app, 'signup', { email: request.email, digits }, caller)
      return await database.transaction(async (tx) => {
        const known = await lockMemberByEmail(tx, app.id, binding.email)
        if (!(await codes.claim(tx, code, binding))) throw new InvalidPasswordlessCodeError()
        const proved = { email: binding.email, verified: true, passwordHash: null }
        if (known !== null) await prove(tx, app, known)
        const memberId = known?.id ?? (await signup.create(tx, app, { ...application, ...proved }, caller))
        if (memberId === null) throw new InvalidPasswordlessCodeError()
        return await begin(tx, app, memberId, caller)
      })
    },
  }
}
