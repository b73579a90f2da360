import type { Member } from '@tidings/contracts/membership/members'
import {
  changeEmail as changeMemberEmail,
  findMember,
  type MemberRow,
  updateMember,
} from '#features/members/index.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import { fail } from '../auth.errors.ts'
import { type Caller, hashSourceOf } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import {
  isPossiblePassword,
  readEmail,
  readNewPassword,
  readPasswordChange,
  requireReachable,
} from '../credentials.ts'
import type { SessionService } from '../sessions/sessions.service.ts'

type Deps = Pick<
  AuthDeps,
  'database' | 'passwords' | 'members' | 'emails' | 'rateLimits' | 'mailServers' | 'syncEmail'
> & {
  sessions: SessionService
  codes: CodeService
}

/** The session that a member changes their account in. */
type Owner = { memberId: string; id: string }

type Change = {
  email?: string | null | undefined
  oldPassword?: string | null | undefined
  newPassword?: string | null | undefined
}

export type AccountService = ReturnType<typeof createAccountService>

/** Changes a member's address and password. Each change ends the member's other sessions. */
export function createAccountService(deps: Deps) {
  const { database, passwords, members, sessions, codes, emails, rateLimits } = deps

  /** Runs `work` with the member's row locked. Throws if the owner's session has ended meanwhile. */
  async function change(
    app: MembershipApp,
    owner: Owner,
    work: (tx: Db, row: MemberRow) => Promise<void>,
  ): Promise<Member> {
    return await members.change(app, owner.memberId, async (tx, row) => {
      if (!(await sessions.isActive(tx, owner.id))) throw failMembership('client/invalid-token')
      await work(tx, row)
      await sessions.endOthers(tx, row.id, owner.id)
    })
  }

  async function changeEmail(
    tx: Db,
    app: MembershipApp,
    row: MemberRow,
    email: string,
    caller: Caller,
  ): Promise<void> {
    if (email === row.email) return
    await requireReachable(tx, deps.mailServers, email)
    if (!(await changeMemberEmail(tx, row, email))) throw fail('email-already-in-use')
    await emails.enqueue(tx, app, row.email, { kind: 'email-changed', newEmail: email })
    await codes.request(tx, app, { purpose: 'verification', email }, caller)
    await deps.syncEmail(tx, row.id)
  }

  async function changePassword(
    tx: Db,
    app: MembershipApp,
    row: MemberRow,
    { oldHash, hash }: { oldHash: string | null; hash: string },
  ): Promise<void> {
    // Changed by another request since the old one was verified.
    if (row.passwordHash !== oldHash) throw fail('invalid-credentials', 'account')
    await updateMember(tx, row.id, { passwordHash: hash })
    await emails.enqueue(tx, app, row.email, { kind: 'password-changed' })
  }

  /** Verifies the old password and returns its hash and the new one's; null if neither was sent. */
  async function readPasswords(
    { memberId }: Owner,
    given: Change,
    caller: Caller,
  ): Promise<{ oldHash: string; hash: string } | null> {
    const passwordChange = readPasswordChange(given)
    if (passwordChange === null) return null
    const { oldPassword, newPassword } = passwordChange
    // Correct passwords count too, or their owner could keep the hasher busy.
    await rateLimits.consume('accountTries', memberId)
    const oldHash = (await findMember(database.db, memberId))?.passwordHash ?? null
    if (oldHash === null) throw fail('no-password-set')
    const source = hashSourceOf(caller, { isKnown: true })
    const isRight =
      isPossiblePassword(oldPassword) && (await passwords.verify(oldHash, oldPassword, source)).isRight
    if (!isRight) throw fail('invalid-credentials', 'account')
    return { oldHash, hash: await passwords.hash(newPassword, source) }
  }

  return {
    /** Changes the address, the password or both. */
    async update(app: MembershipApp, owner: Owner, given: Change, caller: Caller): Promise<Member> {
      const email = given.email ? readEmail(given.email) : null
      const password = await readPasswords(owner, given, caller)
      if (email === null && password === null) throw failMembership('required-field-missing', 'email')
      // Limited like codes: it reveals whether the address is in use, and emails a code if not.
      if (email !== null) await rateLimits.consume('codes', caller.ip)
      return await change(app, owner, async (tx, row) => {
        if (password !== null) await changePassword(tx, app, row, password)
        if (email !== null) await changeEmail(tx, app, row, email, caller)
      })
    },
    /** Sets the first password of an account; throws `invalid-password` if it has one. */
    async setPassword(app: MembershipApp, owner: Owner, text: string, caller: Caller): Promise<Member> {
      const password = readNewPassword(text)
      await rateLimits.consume('accountTries', owner.memberId)
      const hash = await passwords.hash(password, hashSourceOf(caller, { isKnown: true }))
      return await change(app, owner, async (tx, row) => {
        if (row.passwordHash !== null) throw fail('invalid-password', 'already-set')
        await changePassword(tx, app, row, { oldHash: null, hash })
      })
    },
  }
}
