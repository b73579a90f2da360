import { parseEmailAddress } from '@tidings/contracts/membership/email-address'
import { newPasswordProblem } from '@tidings/contracts/membership/field-rules'
import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import type { MailServerService } from '#features/mail/index.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { Db } from '#platform/database.ts'
import { fail } from './auth.errors.ts'

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
