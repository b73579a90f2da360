import type { EmailService } from '#features/mail/index.ts'
import { lockMemberByEmail, updateMember } from '#features/members/index.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Database } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { Passwords } from '#platform/passwords/passwords.ts'
import { InvalidResetCodeError } from '../auth.errors.ts'
import type { Caller } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import { readEmail, readNewPassword } from '../credentials.ts'
import type { FirstProof } from '../first-proof.ts'
import type { KnownSources } from '../known-sources.ts'
import type { SessionService } from '../sessions/sessions.service.ts'

type Deps = {
  database: Database
  passwords: Passwords
  sessions: SessionService
  sources: KnownSources
  codes: CodeService
  emails: EmailService
  rateLimits: RateLimits
  invalidation: Invalidation
  prove: FirstProof
}

export type ResetService = {
  /** Mails a code to whoever has an account; the answer is the same for all. */
  send(app: MembershipApp, email: string, caller: Caller): Promise<void>
  /**
   * Sets a new password with the code, which proves the address too, and ends every session. Published clients send the
   * code alone; with the address it is bound to it.
   */
  reset(
    app: MembershipApp,
    request: { token: string; newPassword: string; email?: string | null | undefined },
    caller: Caller,
  ): Promise<void>
}

/** Forgotten passwords. */
export function createResetService(deps: Deps): ResetService {
  const { database, passwords, sessions, sources, codes, emails, rateLimits, invalidation, prove } = deps

  return {
    async send(app, text, caller) {
      const email = readEmail(text)
      await rateLimits.consume('codes', caller.ip)
      await database.transaction((tx) => codes.request(tx, app, { purpose: 'reset', email }, caller))
    },
    async reset(app, request, caller) {
      const password = readNewPassword(request.newPassword, 'newPassword')
      const email = request.email == null || request.email === '' ? null : readEmail(request.email)
      await rateLimits.consume('codeTries', caller.ip)
      const code =
        email === null
          ? await codes.checkReset(app, request.token, caller)
          : await codes.check({ appId: app.id, purpose: 'reset', email }, request.token, caller)
      if (code === null) throw new InvalidResetCodeError()

      const passwordHash = await passwords.hash(password)
      await database.transaction(async (tx) => {
        const binding = { appId: app.id, purpose: 'reset', email: code.email } as const
        const member = await lockMemberByEmail(tx, app.id, code.email)
        if (member === null || !(await codes.claim(tx, code, binding))) throw new InvalidResetCodeError()
        const isFirst = await prove(tx, app, member, { passwordHash })
        await sources.remember(tx, member.id, caller)
        if (isFirst) return
        await updateMember(tx, member.id, { passwordHash })
        await sessions.endOthers(tx, member.id, null)
        await invalidation.invalidate(tx, { at: [cacheKeys.member(member.id)] })
        await emails.enqueue(tx, app, member.email, { kind: 'password-changed' })
      })
    },
  }
}
