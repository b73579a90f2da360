import type { MemberSession } from '@tidings/contracts/membership/auth'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import { fail } from '../auth.errors.ts'
import type { Caller, KnownSources } from '../caller.ts'
import { createPasswordCheck, readEmail } from '../credentials.ts'
import type { SessionService } from '../sessions/sessions.service.ts'

type Deps = Pick<AuthDeps, 'database' | 'passwords' | 'rateLimits'> & {
  sessions: SessionService
  sources: KnownSources
}

export type PasswordLogin = ReturnType<typeof createPasswordLogin>

/** Returns the login by password. Every failure has the same reply after the same work. */
export function createPasswordLogin(deps: Deps) {
  const { database, passwords, sessions } = deps
  const checkPassword = createPasswordCheck(deps)

  return async function login(
    app: MembershipApp,
    { email: text, password }: { email: string; password: string },
    caller: Caller,
  ): Promise<MemberSession> {
    if (password === '') throw failMembership('required-field-missing', 'password')
    const email = readEmail(text)
    const right = await checkPassword(app, { email, password }, caller)
    if (right === null) throw fail('invalid-credentials', 'login')

    const { row, found, needsRehash, hashSource } = right
    const rehashed = needsRehash ? await passwords.hash(password, { ...hashSource, isKnown: true }) : null
    const session = await sessions.begin(database.db, app, row.id, { caller, password: { found, rehashed } })
    if (session === null) throw fail('invalid-credentials', 'login')
    return sessions.toReply(app, row, session)
  }
}
