import type { RateLimits } from '../../../http/rate-limits.ts'
import { cacheKeys } from '../../../platform/cache-keys.ts'
import type { Database } from '../../../platform/database.ts'
import type { MembershipApp } from '../../../platform/membership-apps/membership-apps.ts'
import type { Staleness } from '../../../platform/stale.ts'
import { findMember, lockMemberByEmail, MemberNotFoundError, updateMember } from '../../members/index.ts'
import { InvalidVerificationCodeError } from '../auth.errors.ts'
import type { CodeService } from '../codes/codes.service.ts'
import { readEmail } from '../credentials.ts'

type Deps = {
  database: Database
  codes: CodeService
  rateLimits: RateLimits
  staleness: Staleness
}

export type VerificationService = {
  /** Mails a code and a link to the member's address, and answers true. A verified one needs none: false. */
  send(app: MembershipApp, memberId: string, ip: string): Promise<boolean>
  /** Takes the code for proof that the address is the member's; throws `invalid-verification-code`. */
  verify(app: MembershipApp, request: { email: string; code: string }, ip: string): Promise<void>
}

/** Proving that an address is one's own. */
export function createVerificationService(deps: Deps): VerificationService {
  const { database, codes, rateLimits, staleness } = deps

  return {
    async send(app, memberId, ip) {
      await rateLimits.consume('codes', ip)
      return await database.transaction(async (tx) => {
        const member = await findMember(tx, memberId)
        if (member === null) throw new MemberNotFoundError()
        if (!member.verified) await codes.request(tx, app, 'verification', member.email)
        return !member.verified
      })
    },
    async verify(app, request, ip) {
      await rateLimits.consume('codeTries', ip)
      const email = readEmail(request.email)
      const binding = { appId: app.id, purpose: 'verification', email } as const
      const code = await codes.check(binding, request.code)
      if (code === null) throw new InvalidVerificationCodeError()
      await database.transaction(async (tx) => {
        const member = await lockMemberByEmail(tx, app.id, email)
        if (member === null || !(await codes.claim(tx, code, binding))) {
          throw new InvalidVerificationCodeError()
        }
        await updateMember(tx, member.id, { verified: true })
        await staleness.mark(tx, { at: [cacheKeys.member(member.id)] })
      })
    },
  }
}
