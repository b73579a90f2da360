import type { VerifyEmailRequest } from '@tidings/contracts/membership/auth'
import {
  fail as failMember,
  findMember,
  findMemberByEmail,
  lockMemberByEmail,
} from '#features/members/index.ts'
import type { LiveSession } from '#http/membership/member-session.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import { fail } from '../auth.errors.ts'
import { type Caller, hashSourceOf, type KnownSources } from '../caller.ts'
import { createPasswordCheck, readEmail, readNewPassword, requireReachable } from '../credentials.ts'
import type { SessionService } from '../sessions/sessions.service.ts'
import { createDecline, type DeclineDeps } from './decline.ts'
import type { VerifyEmail } from './email-verification.ts'
import { bindingOf, type Link, readLink } from './verification-link.ts'

type Deps = DeclineDeps &
  Pick<AuthDeps, 'passwords' | 'mailServers'> & {
    sessions: SessionService
    sources: KnownSources
    verifyEmail: VerifyEmail
  }

export type VerificationService = ReturnType<typeof createVerificationService>

/**
 * The state of a link: it opens a form; or nothing, because the address is confirmed, a later email replaced the link,
 * no account has the address, or it is too old. A link that we haven't emailed is unknown, whatever its code.
 */
export type LinkState = 'open' | 'confirmed' | 'replaced' | 'ended' | 'expired' | 'unknown'

/** Verifies members' addresses, and removes addresses whose owners never signed up. */
export function createVerificationService(deps: Deps) {
  const { database, passwords, sessions, codes, rateLimits, verifyEmail } = deps
  const checkPassword = createPasswordCheck(deps)

  /**
   * Returns what shows whose the account is, without a session: the hash that the password matches, or a new one. Throws
   * `invalid-credentials`, and `invalid-verification-code` if no account has the address any more.
   */
  async function readPassword(
    app: MembershipApp,
    { email, password, chosen }: { email: string; password: string; chosen: string | null },
    caller: Caller,
  ): Promise<{ hash: string; isNew: boolean }> {
    if ((await findMemberByEmail(database.db, app.id, email)) === null)
      throw fail('invalid-verification-code')
    if (chosen !== null) {
      return { hash: await passwords.hash(chosen, hashSourceOf(caller, { isKnown: true })), isNew: true }
    }
    const right = await checkPassword(app, { email, password }, caller)
    if (right === null) throw fail('invalid-credentials', 'account')
    return { hash: right.found, isNew: false }
  }

  return {
    /** Emails a code and a link to the member; returns false if the address is already verified. */
    async send(app: MembershipApp, memberId: string, caller: Caller): Promise<boolean> {
      await rateLimits.consume('codes', caller.ip)
      return await database.transaction(async (tx) => {
        const member = await findMember(tx, memberId)
        if (member === null) throw failMember('member-not-found')
        if (member.verified) return false
        await requireReachable(tx, deps.mailServers, member.email)
        await codes.request(tx, app, { purpose: 'verification', email: member.email }, caller)
        return true
      })
    },
    /** Emails another code and link to an unverified address; the same for every address. */
    async resend(app: MembershipApp, text: string, caller: Caller): Promise<void> {
      const email = readEmail(text)
      await rateLimits.consume('codes', caller.ip)
      await requireReachable(database.db, deps.mailServers, email)
      await database.transaction((tx) => codes.request(tx, app, { purpose: 'verification', email }, caller))
    },
    /** Returns the state of a link with its signature. Changes nothing and counts as no guess. */
    async look(app: MembershipApp, link: Link): Promise<LinkState> {
      const binding = bindingOf(app, link)
      if (!codes.isEmailed(binding, link)) return 'unknown'
      const member = await findMemberByEmail(database.db, app.id, binding.email)
      if (member === null) return 'ended'
      if (member.verified) return 'confirmed'
      const { code, hasNewer } = await codes.recall(binding, link.code)
      if (code !== null) return 'open'
      return hasNewer ? 'replaced' : 'expired'
    },
    decline: createDecline(deps),
    /**
     * Verifies an address by its code. The member's session or the account's password shows that its maker does it; a new
     * password replaces what someone else could have left.
     */
    async verify(
      app: MembershipApp,
      request: VerifyEmailRequest & Link,
      { session, caller }: { session: LiveSession | null; caller: Caller },
    ): Promise<void> {
      await rateLimits.consume('codeTries', caller.ip)
      const own = await ownSession(deps, app, session, request.email)
      const password = request.password ?? ''
      const chosen =
        own === null && request.newPassword ? readNewPassword(request.newPassword, 'newPassword') : null
      if (own === null && chosen === null && password === '') {
        throw failMembership('required-field-missing', 'password')
      }
      const { code, binding } = await readLink(codes, app, request, caller)
      const { email } = binding
      const given = own === null ? await readPassword(app, { email, password, chosen }, caller) : null
      await database.transaction(async (tx) => {
        const member = await lockMemberByEmail(tx, app.id, email)
        if (member === null || !(await codes.claim(tx, code, binding)))
          throw fail('invalid-verification-code')
        if (own !== null && (own.memberId !== member.id || !(await sessions.isActive(tx, own.id)))) {
          throw failMembership('client/invalid-token')
        }
        if (given?.isNew === false && given.hash !== member.passwordHash) {
          throw fail('invalid-credentials', 'account')
        }
        const proof = given?.isNew === true ? { passwordHash: given.hash } : ('by maker' as const)
        // Verified otherwise meanwhile: nothing of the form was done.
        if (!(await verifyEmail(tx, app, member, proof))) throw fail('invalid-verification-code')
      })
    },
  }
}

/** Returns the session if it belongs to the member with this address. */
async function ownSession(
  { database }: Deps,
  app: MembershipApp,
  session: LiveSession | null,
  email: string,
): Promise<LiveSession | null> {
  if (session === null || session.appId !== app.id) return null
  const member = await findMember(database.db, session.memberId)
  return member?.email === readEmail(email) ? session : null
}
