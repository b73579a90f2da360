import type { VerifyEmailRequest } from '@tidings/contracts/auth'
import {
  changeEmail,
  fail as failMember,
  findMember,
  findMemberByEmail,
  lockMemberByEmail,
  type MemberRow,
  type MemberService,
} from '#features/members/index.ts'
import type { LiveSession } from '#http/membership/member-session.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import type { Database, Db } from '#platform/database.ts'
import { AppError } from '#platform/errors.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { Passwords } from '#platform/passwords/passwords.ts'
import { InvalidVerificationCodeError, WrongPasswordError } from '../auth.errors.ts'
import type { Caller } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import { isPossiblePassword, readEmail, readNewPassword } from '../credentials.ts'
import type { FirstProof } from '../first-proof.ts'
import type { SessionService } from '../sessions/sessions.service.ts'

type Deps = {
  database: Database
  passwords: Passwords
  sessions: SessionService
  codes: CodeService
  rateLimits: RateLimits
  prove: FirstProof
  members: MemberService
  /** Where people write to who need help. */
  contact: string
  /** Updates the address that the payment service has for the member, once it is stored. */
  tellAddress(tx: Db, memberId: string): Promise<void>
}

/** Who verifies an address. */
type Prover = { session: LiveSession | null; caller: Caller }

export type VerificationService = {
  /** Mails a code and a link to the member's address, and answers true. A verified one needs none: false. */
  send(app: MembershipApp, memberId: string, caller: Caller): Promise<boolean>
  /**
   * Verifies an address by its code. Without a session of its member, the account's password or a new one has to come
   * along. Throws `invalid-verification-code`, or `invalid-credentials` for a wrong password.
   */
  verify(app: MembershipApp, request: VerifyEmailRequest, prover: Prover): Promise<void>
  /** Mails another code and link to an address that has none any more; the same for every address. */
  resend(app: MembershipApp, email: string, caller: Caller): Promise<void>
  /**
   * Takes an address away from an account that its owner never made: removes the account, or gives it back its address
   * before. Throws `access-denied` for an account that pays.
   */
  decline(app: MembershipApp, request: { email: string; code: string }, caller: Caller): Promise<void>
}

/** Proving that an address is one's own. */
export function createVerificationService(deps: Deps): VerificationService {
  const { database, passwords, sessions, codes, rateLimits, prove, members } = deps

  function declined(reason: string): AppError {
    const message = `${reason} So it can’t be removed here. Write to us at ${deps.contact}, and we will remove your address.`
    return new AppError('access-denied', 403, message)
  }

  async function readCode(app: MembershipApp, request: { email: string; code: string }, caller: Caller) {
    const binding = { appId: app.id, purpose: 'verification', email: readEmail(request.email) } as const
    const code = await codes.check(binding, request.code, caller)
    if (code === null) throw new InvalidVerificationCodeError()
    return { code, binding }
  }

  /** The session, when it is of the member with this address. */
  async function ownSession(session: LiveSession | null, email: string): Promise<LiveSession | null> {
    if (session === null) return null
    const member = await findMember(database.db, session.memberId)
    return member?.email === readEmail(email) ? session : null
  }

  /** The hash that the password was found right for; throws `invalid-credentials`. */
  async function checkPassword(app: MembershipApp, email: string, password: string): Promise<string> {
    const found = (await findMemberByEmail(database.db, app.id, email))?.passwordHash ?? null
    const { isRight } = isPossiblePassword(password)
      ? await passwords.verify(found, password)
      : { isRight: false }
    if (found === null || !isRight) throw new WrongPasswordError()
    return found
  }

  return {
    async send(app, memberId, caller) {
      await rateLimits.consume('codes', caller.ip)
      return await database.transaction(async (tx) => {
        const member = await findMember(tx, memberId)
        if (member === null) throw failMember('member-not-found')
        if (!member.verified)
          await codes.request(tx, app, { purpose: 'verification', email: member.email }, caller)
        return !member.verified
      })
    },
    async resend(app, text, caller) {
      const email = readEmail(text)
      await rateLimits.consume('codes', caller.ip)
      await database.transaction((tx) => codes.request(tx, app, { purpose: 'verification', email }, caller))
    },
    async verify(app, request, { session, caller }) {
      await rateLimits.consume('codeTries', caller.ip)
      const own = await ownSession(session, request.email)
      const { password, newPassword } = request
      const chosen = own === null && newPassword ? readNewPassword(newPassword, 'newPassword') : null
      if (own === null && chosen === null && !password)
        throw failMembership('required-field-missing', 'password')

      const { code, binding } = await readCode(app, request, caller)
      const isKnown = own === null && chosen === null
      const found = isKnown ? await checkPassword(app, binding.email, password ?? '') : null
      const hash = chosen === null ? null : await passwords.hash(chosen)
      await database.transaction(async (tx) => {
        const member = await lockMemberByEmail(tx, app.id, binding.email)
        if (member === null || !(await codes.claim(tx, code, binding))) {
          throw new InvalidVerificationCodeError()
        }
        if (own === null) {
          if (found !== null && found !== member.passwordHash) throw new WrongPasswordError()
          await prove(tx, app, member, { passwordHash: found ?? hash })
        } else {
          if (own.memberId !== member.id || !(await sessions.isThere(tx, own.id)))
            throw failMembership('client/invalid-token')
          await prove(tx, app, member, { sessionId: own.id, ...loginsOf(member) })
        }
      })
    },
    async decline(app, request, caller) {
      await rateLimits.consume('codeTries', caller.ip)
      const { code, binding } = await readCode(app, request, caller)
      const known = await findMemberByEmail(database.db, app.id, binding.email)
      if (known === null || known.verified) throw new InvalidVerificationCodeError()

      async function claim(tx: Db, row: MemberRow): Promise<void> {
        const isSame = row.email === binding.email && row.formerEmail === known?.formerEmail && !row.verified
        if (!isSame || !(await codes.claim(tx, code, binding))) throw new InvalidVerificationCodeError()
        if (row.formerEmail === null && isPaying(row)) throw declined('The account pays for a plan.')
      }
      if (known.formerEmail === null) {
        // Before its payments are ended.
        if (isPaying(known)) throw declined('The account pays for a plan.')
        await members.removeAccount(app, known.id, claim)
        return
      }
      await members.change(app, known.id, async (tx, row) => {
        await claim(tx, row)
        const former = row.formerEmail ?? ''
        if (!(await changeEmail(tx, row, former))) throw declined('Its address before is in use again.')
        await codes.request(tx, app, { purpose: 'verification', email: former }, caller)
        await deps.tellAddress(tx, row.id)
      })
    },
  }
}

/** A member's own ways to log in: the password or, without one, the providers. */
function loginsOf({ passwordHash, identities }: MemberRow) {
  return { passwordHash, providers: passwordHash === null ? identities.map(({ provider }) => provider) : [] }
}

/** Whether the member pays for a plan, which is not to be lost by a mistyped address. */
function isPaying({ planConnections }: MemberRow): boolean {
  return planConnections.some(({ type, status }) => type !== 'FREE' && status !== 'CANCELED')
}
