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
import { isPossiblePassword, readEmail, readNewPassword, requireReachable } from '../credentials.ts'
import type { VerifyEmail } from '../email-verification.ts'
import type { SessionService } from '../sessions/sessions.service.ts'

type Deps = Pick<
  AuthDeps,
  'database' | 'passwords' | 'rateLimits' | 'mailServers' | 'members' | 'syncEmail'
> & {
  sessions: SessionService
  codes: CodeService
  verifyEmail: VerifyEmail
  contact: string
}

export type VerificationService = ReturnType<typeof createVerificationService>

/** Verifies members' addresses, and removes addresses whose owners never signed up. */
export function createVerificationService(deps: Deps) {
  const { database, passwords, sessions, codes, rateLimits, verifyEmail, members, contact } = deps

  async function readCode(app: MembershipApp, request: { email: string; code: string }, caller: Caller) {
    const binding = { appId: app.id, purpose: 'verification', email: readEmail(request.email) } as const
    const code = await codes.check(binding, request.code, caller)
    if (code === null) throw fail('invalid-verification-code')
    return { code, binding }
  }

  /** Returns the session if it belongs to the member with this address. */
  async function ownSession(session: LiveSession | null, email: string): Promise<LiveSession | null> {
    if (session === null) return null
    const member = await findMember(database.db, session.memberId)
    return member?.email === readEmail(email) ? session : null
  }

  /** Returns the hash that the password matches; throws `invalid-credentials`. */
  async function checkPassword(
    app: MembershipApp,
    email: string,
    password: string,
    caller: Caller,
  ): Promise<string> {
    const found = (await findMemberByEmail(database.db, app.id, email))?.passwordHash ?? null
    const source = hashSourceOf(caller, { isKnown: true })
    const isRight = isPossiblePassword(password) && (await passwords.verify(found, password, source)).isRight
    if (found === null || !isRight) throw fail('invalid-credentials', 'account')
    return found
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
    /** Verifies an address by its code. Requires the member's session, the account's password or a new one. */
    async verify(
      app: MembershipApp,
      request: VerifyEmailRequest,
      { session, caller }: { session: LiveSession | null; caller: Caller },
    ): Promise<void> {
      await rateLimits.consume('codeTries', caller.ip)
      const own = await ownSession(session, request.email)
      const { password, newPassword } = request
      const chosen = own === null && newPassword ? readNewPassword(newPassword, 'newPassword') : null
      if (own === null && chosen === null && !password) {
        throw failMembership('required-field-missing', 'password')
      }
      const { code, binding } = await readCode(app, request, caller)
      const usesPassword = own === null && chosen === null
      const found = usesPassword ? await checkPassword(app, binding.email, password ?? '', caller) : null
      const hash =
        chosen === null ? null : await passwords.hash(chosen, hashSourceOf(caller, { isKnown: true }))
      await database.transaction(async (tx) => {
        const member = await lockMemberByEmail(tx, app.id, binding.email)
        if (member === null || !(await codes.claim(tx, code, binding)))
          throw fail('invalid-verification-code')
        if (own === null) {
          if (found !== null && found !== member.passwordHash) throw fail('invalid-credentials', 'account')
          await verifyEmail(tx, app, member, { passwordHash: found ?? hash })
          return
        }
        if (own.memberId !== member.id || !(await sessions.isActive(tx, own.id))) {
          throw failMembership('client/invalid-token')
        }
        await verifyEmail(tx, app, member, { sessionId: own.id, ...loginsOf(member) })
      })
    },
    /** Removes an unwanted account or restores its previous address. Throws `access-denied` for a paying account. */
    async decline(
      app: MembershipApp,
      request: { email: string; code: string },
      caller: Caller,
    ): Promise<void> {
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

/** Returns the member's own logins: the password or, without one, the providers. */
function loginsOf({ passwordHash, identities }: MemberRow) {
  return { passwordHash, providers: passwordHash === null ? identities.map(({ provider }) => provider) : [] }
}

/** Returns whether the member pays for a plan, which a mistyped address must not remove. */
function isPaying({ planConnections }: MemberRow): boolean {
  return planConnections.some(({ type, status }) => type !== 'FREE' && status !== 'CANCELED')
}
