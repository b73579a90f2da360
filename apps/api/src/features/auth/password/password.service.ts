import type { MemberSession } from '@tidings/contracts/membership/auth'
import { findMemberByEmail } from '#features/members/index.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import { fail } from '../auth.errors.ts'
import { type Caller, hashSourceOf } from '../caller.ts'
import { isPossiblePassword, readEmail } from '../credentials.ts'
import type { KnownSources } from '../known-sources.ts'
import { toSessionReply } from '../session-reply.ts'
import type { SessionService } from '../sessions/sessions.service.ts'

type Deps = Pick<AuthDeps, 'database' | 'passwords' | 'members' | 'rateLimits'> & {
  sessions: SessionService
  sources: KnownSources
}

export type PasswordLogin = ReturnType<typeof createPasswordLogin>

/** Returns the login by password. Every failure has the same reply after the same work. */
export function createPasswordLogin(deps: Deps) {
  const { database, passwords, members, sessions, sources, rateLimits } = deps

  return async function login(
    app: MembershipApp,
    { email: text, password }: { email: string; password: string },
    caller: Caller,
  ): Promise<MemberSession> {
    if (password === '') throw failMembership('required-field-missing', 'password')
    const email = readEmail(text)
    await rateLimits.consume('logins', caller.ip)
    const source = await sources.find(database.db, { appId: app.id, email }, caller)
    const refundTry = await sources.countTry(`${app.id} ${email}`, source)

    const row = isPossiblePassword(password) ? await findMemberByEmail(database.db, app.id, email) : null
    const found = row?.passwordHash ?? null
    const hashSource = hashSourceOf(caller, source)
    const verified = passwords.verify(found, password.slice(0, 2_000), hashSource)
    const { isRight, needsRehash } = await verified.catch(async (error: unknown) => {
      await refundTry()
      throw error
    })
    if (row === null || found === null || !isRight) throw fail('invalid-credentials', 'login')

    await refundTry()
    const rehashed = needsRehash ? await passwords.hash(password, { ...hashSource, isKnown: true }) : null
    const session = await sessions.begin(database.db, app, row.id, { caller, password: { found, rehashed } })
    if (session === null) throw fail('invalid-credentials', 'login')
    return toSessionReply(members, app, row, session)
  }
}
