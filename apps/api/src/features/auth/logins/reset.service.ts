import {
  endPreferencesLinks,
  lockMemberByEmail,
  memberCacheKey,
  updateMember,
} from '#features/members/index.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import { fail } from '../auth.errors.ts'
import { type Caller, hashSourceOf, type KnownSources } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import { readEmail, readNewPassword, requireReachable } from '../credentials.ts'
import type { SessionService } from '../sessions/sessions.service.ts'
import type { VerifyEmail } from '../verification/email-verification.ts'

type Deps = Pick<
  AuthDeps,
  'database' | 'passwords' | 'emails' | 'rateLimits' | 'mailServers' | 'invalidation'
> & {
  sessions: SessionService
  sources: KnownSources
  codes: CodeService
  verifyEmail: VerifyEmail
}

export type ResetService = ReturnType<typeof createResetService>

/** Resets forgotten passwords. */
export function createResetService(deps: Deps) {
  const { database, passwords, sessions, sources, codes, emails, rateLimits, invalidation, verifyEmail } =
    deps

  return {
    /** Emails a code to an address that has an account; the same for every address. */
    async send(app: MembershipApp, text: string, caller: Caller): Promise<void> {
      const email = readEmail(text)
      await rateLimits.consume('codes', caller.ip)
      await requireReachable(database.db, deps.mailServers, email)
      await database.transaction((tx) => codes.request(tx, app, { purpose: 'reset', email }, caller))
    },
    /** Sets a new password, verifies the address and ends every session. The code may come without an address. */
    async reset(
      app: MembershipApp,
      request: { token: string; newPassword: string; email?: string | null | undefined },
      caller: Caller,
    ): Promise<void> {
      const password = readNewPassword(request.newPassword, 'newPassword')
      const email = request.email ? readEmail(request.email) : null
      await rateLimits.consume('codeTries', caller.ip)
      const code =
        email === null
          ? await codes.checkReset(app, request.token, caller)
          : await codes.check({ appId: app.id, purpose: 'reset', email }, request.token, caller)
      if (code === null) throw fail('invalid-reset-code')

      const passwordHash = await passwords.hash(password, hashSourceOf(caller, { isKnown: true }))
      await database.transaction(async (tx) => {
        const binding = { appId: app.id, purpose: 'reset', email: code.email } as const
        const member = await lockMemberByEmail(tx, app.id, code.email)
        if (member === null || !(await codes.claim(tx, code, binding))) throw fail('invalid-reset-code')
        const isFirst = await verifyEmail(tx, app, member, { passwordHash })
        await sources.remember(tx, member.id, caller)
        if (isFirst) return
        await updateMember(tx, member.id, { passwordHash })
        await endPreferencesLinks(tx, member.id)
        await sessions.endOthers(tx, member.id, null)
        await invalidation.invalidate(tx, { at: [memberCacheKey(member.id)] })
        await emails.enqueue(tx, app, member.email, { kind: 'password-changed' })
      })
    },
  }
}
