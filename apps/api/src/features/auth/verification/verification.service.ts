import type { VerifyEmailRequest } from '@tidings/contracts/membership/auth'
import {
  changeEmail,
  fail as failMember,
  findMember,
  findMemberByEmail,
  lockMemberByEmail,
  type MemberRow,
} from '#features/members/index.ts'
import type { LiveSession } from '#http/membership/member-session.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import { fail } from '../auth.errors.ts'
import { type Caller, hashSourceOf } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import { readEmail, readNewPassword, requireReachable } from '../credentials.ts'
import type { KnownSources } from '../known-sources.ts'
import { createPasswordCheck } from '../password-check.ts'
import type { SessionService } from '../sessions/sessions.service.ts'
import type { VerifyEmail } from './email-verification.ts'

type Deps = Pick<
  AuthDeps,
  'database' | 'passwords' | 'rateLimits' | 'mailServers' | 'members' | 'syncEmail'
> & {
  sessions: SessionService
  sources: KnownSources
  codes: CodeService
  verifyEmail: VerifyEmail
  contact: string
}

/** The address and the code of a link, with the signature of those that we email. */
type Link = { email: string; code: string; signature?: string }

export type VerificationService = ReturnType<typeof createVerificationService>

/**
 * The state of a link: it opens a form; or nothing, because the address is confirmed, a later email replaced the link,
 * no account has the address, or it is too old. A link that we haven't emailed is unknown, whatever its code.
 */
export type LinkState = 'open' | 'confirmed' | 'replaced' | 'ended' | 'expired' | 'unknown'

/** Verifies members' addresses, and removes addresses whose owners never signed up. */
export function createVerificationService(deps: Deps) {
  const { database, passwords, sessions, codes, rateLimits, verifyEmail, members, contact } = deps
  const checkPassword = createPasswordCheck(deps)

  const bindingOf = (app: MembershipApp, email: string) =>
    ({ appId: app.id, purpose: 'verification', email: readEmail(email) }) as const

  async function readCode(app: MembershipApp, request: Link, caller: Caller) {
    const binding = bindingOf(app, request.email)
    const code = codes.isEmailed(binding, request)
      ? (await codes.recall(binding, request.code)).code
      : await codes.check(binding, request.code, caller)
    if (code === null) throw fail('invalid-verification-code')
    return { code, binding }
  }

  /** Returns the session if it belongs to the member with this address. */
  async function ownSession(
    app: MembershipApp,
    session: LiveSession | null,
    email: string,
  ): Promise<LiveSession | null> {
    if (session === null || session.appId !== app.id) return null
    const member = await findMember(database.db, session.memberId)
    return member?.email === readEmail(email) ? session : null
  }

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
      const binding = bindingOf(app, link.email)
      if (!codes.isEmailed(binding, link)) return 'unknown'
      const member = await findMemberByEmail(database.db, app.id, binding.email)
      if (member === null) return 'ended'
      if (member.verified) return 'confirmed'
      const { code, hasNewer } = await codes.recall(binding, link.code)
      if (code !== null) return 'open'
      return hasNewer ? 'replaced' : 'expired'
    },
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
      const own = await ownSession(app, session, request.email)
      const password = request.password ?? ''
      const chosen =
        own === null && request.newPassword ? readNewPassword(request.newPassword, 'newPassword') : null
      if (own === null && chosen === null && password === '') {
        throw failMembership('required-field-missing', 'password')
      }
      const { code, binding } = await readCode(app, request, caller)
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
    /** Removes an unwanted account or restores its previous address. Throws `access-denied` for a paying account. */
    async decline(app: MembershipApp, request: Link, caller: Caller): Promise<void> {
      await rateLimits.consume('codeTries', caller.ip)
      const { code, binding } = await readCode(app, request, caller)
      const known = await findMemberByEmail(database.db, app.id, binding.email)
      if (known === null || known.verified) throw fail('invalid-verification-code')

      async function claim(tx: Db, row: MemberRow): Promise<void> {
        const isSame = row.email === binding.email && row.formerEmail === known?.formerEmail && !row.verified
        if (!isSame || !(await codes.claim(tx, code, binding))) throw fail('invalid-verification-code')
        if (row.formerEmail === null && isPaying(row)) throw fail('access-denied', 'paying', contact)
      }
      if (known.formerEmail === null) {
        // Checked here too, before removal cancels the payments.
        if (isPaying(known)) throw fail('access-denied', 'paying', contact)
        await members.removeAccount(app, known.id, claim)
        return
      }
      await members.change(app, known.id, async (tx, row) => {
        await claim(tx, row)
        const former = row.formerEmail ?? ''
        if (!(await changeEmail(tx, row, former))) throw fail('access-denied', 'address-taken', contact)
        await codes.request(tx, app, { purpose: 'verification', email: former }, caller)
        await deps.syncEmail(tx, row.id)
      })
    },
  }
}

/** Returns whether the member pays for a plan, which a mistyped address must not remove. */
function isPaying({ planConnections }: MemberRow): boolean {
  return planConnections.some(({ type, status }) => type !== 'FREE' && status !== 'CANCELED')
}
