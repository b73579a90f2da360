import { parseEmailAddress } from '@tidings/contracts/membership/email-address'
import { newPasswordProblem } from '@tidings/contracts/membership/field-rules'
import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import type { MailServerService } from '#features/mail/index.ts'
import { findMemberByEmail, type MemberRow } from '#features/members/index.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { HashSource } from '#platform/passwords/hash-queue.ts'
import type { AuthDeps } from './auth.deps.ts'
import { fail } from './auth.errors.ts'
import { type Caller, hashSourceOf, type KnownSources } from './caller.ts'

/** Returns the canonical form of an address; throws `required-field-missing` or `invalid-email`. */
export function readEmail(text: string): string {
  if (!hasVisibleText(text)) throw failMembership('required-field-missing', 'email')
  const email = parseEmailAddress(text)
  if (email === null) throw fail('invalid-email')
  return email
}

/** Throws `email-unreachable` for an address to which no code could be sent; the same for every account. */
export async function requireReachable(
  db: Db,
  mailServers: Pick<MailServerService, 'canReach'>,
  email: string,
): Promise<void> {
  if (await mailServers.canReach(db, email)) return
  throw fail('email-unreachable', /\P{ASCII}/u.exec(email)?.[0] ?? '')
}

/** Returns a new password, which only its length can make invalid. */
export function readNewPassword(password: string | null | undefined, field = 'password'): string {
  const problem = newPasswordProblem(password ?? '')
  if (password == null || problem === 'missing') throw failMembership('required-field-missing', field)
  if (problem === 'too-short') throw fail('invalid-password-too-short')
  if (problem === 'too-long') throw fail('invalid-password', 'too-long')
  return password
}

type PasswordChange = { oldPassword?: string | null | undefined; newPassword?: string | null | undefined }

/** Returns the passwords of a change, null without any; throws for one without the other. */
export function readPasswordChange({ oldPassword, newPassword }: PasswordChange) {
  if (!oldPassword && !newPassword) return null
  if (!newPassword) throw failMembership('required-field-missing', 'newPassword')
  if (!oldPassword) throw failMembership('required-field-missing', 'oldPassword')
  return { oldPassword, newPassword: readNewPassword(newPassword, 'newPassword') }
}

/** Returns whether {@link readNewPassword} could have accepted a password. */
export function isPossiblePassword(password: string): boolean {
  return newPasswordProblem(password) !== 'too-long'
}

type CheckDeps = Pick<AuthDeps, 'database' | 'passwords' | 'rateLimits'> & { sources: KnownSources }

/** A right password: its member, the hash that it matches, and what hashes it again. */
type RightPassword = { row: MemberRow; found: string; needsRehash: boolean; hashSource: HashSource }

/**
 * Returns the check of an account's password by its address, the same work for every address. Wrong ones count for the
 * caller's network and the account (ADR 0063).
 */
export function createPasswordCheck({ database, passwords, sources, rateLimits }: CheckDeps) {
  /** Returns null for a wrong password. Throws `too-many-requests`. */
  return async function checkPassword(
    app: MembershipApp,
    { email, password }: { email: string; password: string },
    caller: Caller,
  ): Promise<RightPassword | null> {
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
    if (row === null || found === null || !isRight) return null
    await refundTry()
    return { row, found, needsRehash, hashSource }
  }
}
