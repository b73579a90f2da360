import type { Member } from '@tidings/contracts/members'
import type { EmailService } from '#features/mail/index.ts'
import {
  changeEmail as changeMemberEmail,
  findMember,
  type MemberRow,
  type MemberService,
  updateMember,
} from '#features/members/index.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import type { Database, Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { Passwords } from '#platform/passwords/passwords.ts'
import {
  EmailInUseError,
  InvalidPasswordError,
  NoPasswordSetError,
  WrongPasswordError,
} from '../auth.errors.ts'
import type { Caller } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import { isPossiblePassword, readEmail, readNewPassword } from '../credentials.ts'
import type { SessionService } from '../sessions/sessions.service.ts'

type Deps = {
  database: Database
  passwords: Passwords
  members: MemberService
  sessions: SessionService
  codes: CodeService
  emails: EmailService
  rateLimits: RateLimits
  /** Has whoever else knows the member by their address hear of another one, once it is stored. */
  tellAddress(tx: Db, memberId: string): Promise<void>
}

/** Who changes their account: the session that asks stays. */
type Owner = { memberId: string; id: string }

export type AccountService = {
  /** Another address, another password, or both. Every other session of the member ends. */
  update(
    app: MembershipApp,
    owner: Owner,
    change: {
      email?: string | null | undefined
      oldPassword?: string | null | undefined
      newPassword?: string | null | undefined
    },
    caller: Caller,
  ): Promise<Member>
  /** A first password for an account that has none; throws `invalid-password` when it has one. */
  setPassword(app: MembershipApp, owner: Owner, password: string): Promise<Member>
}

/** What a member changes about how they log in. */
export function createAccountService(deps: Deps): AccountService {
  const { database, passwords, members, sessions, codes, emails, rateLimits } = deps

  /**
   * Runs `work` with the member's row held, ends the other sessions and returns the member. Throws
   * `client/invalid-token` when the owner's session was ended while this waited for the row.
   */
  async function change(
    app: MembershipApp,
    owner: Owner,
    work: (tx: Db, row: MemberRow) => Promise<void>,
  ): Promise<Member> {
    return await members.change(app, owner.memberId, async (tx, row) => {
      if (!(await sessions.isThere(tx, owner.id))) throw failMembership('client/invalid-token')
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
    if (!(await changeMemberEmail(tx, row, email))) throw new EmailInUseError()
    await emails.enqueue(tx, app, row.email, { kind: 'email-changed', newEmail: email })
    await codes.request(tx, app, { purpose: 'verification', email }, caller)
    await deps.tellAddress(tx, row.id)
  }

  async function changePassword(
    tx: Db,
    app: MembershipApp,
    row: MemberRow,
    password: { found: string | null; hash: string },
  ): Promise<void> {
    // Changed by somebody else since the old one was found right.
    if (row.passwordHash !== password.found) throw new WrongPasswordError()
    await updateMember(tx, row.id, { passwordHash: password.hash })
    await emails.enqueue(tx, app, row.email, { kind: 'password-changed' })
  }

  /** The hash that the old password was found right for, and the one of the new password. */
  async function readPasswords(
    owner: Owner,
    given: { oldPassword?: string | null | undefined; newPassword?: string | null | undefined },
  ): Promise<{ found: string; hash: string } | null> {
    const { oldPassword, newPassword } = given
    if (newPassword == null || newPassword === '') {
      if (oldPassword == null || oldPassword === '') return null
      throw failMembership('required-field-missing', 'newPassword')
    }
    if (oldPassword == null || oldPassword === '')
      throw failMembership('required-field-missing', 'oldPassword')
    const chosen = readNewPassword(newPassword, 'newPassword')
    // Right ones count too: who knows the password is not to keep the hasher from everybody else.
    await rateLimits.consume('accountTries', owner.memberId)
    const found = (await findMember(database.db, owner.memberId))?.passwordHash ?? null
    if (found === null) throw new NoPasswordSetError()
    const { isRight } = isPossiblePassword(oldPassword)
      ? await passwords.verify(found, oldPassword)
      : { isRight: false }
    if (!isRight) throw new WrongPasswordError()
    return { found, hash: await passwords.hash(chosen) }
  }

  return {
    async update(app, owner, { email: text, ...given }, caller) {
      const email = text == null || text === '' ? null : readEmail(text)
      const password = await readPasswords(owner, given)
      if (email === null && password === null) throw failMembership('required-field-missing', 'email')
      // It tells whether the address is taken, and mails it when it is not.
      if (email !== null) await rateLimits.consume('codes', caller.ip)
      return await change(app, owner, async (tx, row) => {
        if (password !== null) await changePassword(tx, app, row, password)
        if (email !== null) await changeEmail(tx, app, row, email, caller)
      })
    },
    async setPassword(app, owner, text) {
      const password = readNewPassword(text)
      await rateLimits.consume('accountTries', owner.memberId)
      const hash = await passwords.hash(password)
      return await change(app, owner, async (tx, row) => {
        if (row.passwordHash !== null) {
          throw new InvalidPasswordError(
            'Your account has a password. Please change it with your current one.',
          )
        }
        await changePassword(tx, app, row, { found: null, hash })
      })
    },
  }
}
