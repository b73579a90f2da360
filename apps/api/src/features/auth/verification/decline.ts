import { changeEmail, findMemberByEmail, type MemberRow } from '#features/members/index.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import { fail } from '../auth.errors.ts'
import type { Caller } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import { type Link, readLink } from './verification-link.ts'

export type DeclineDeps = Pick<AuthDeps, 'database' | 'rateLimits' | 'members' | 'syncEmail'> & {
  codes: CodeService
  contact: string
}

/** Returns the function by which the owner of an address says that the account isn't theirs. */
export function createDecline({ database, rateLimits, members, syncEmail, codes, contact }: DeclineDeps) {
  /** Removes an unwanted account or restores its previous address. Throws `access-denied` for a paying account. */
  return async function decline(app: MembershipApp, request: Link, caller: Caller): Promise<void> {
    await rateLimits.consume('codeTries', caller.ip)
    const { code, binding } = await readLink(codes, app, request, caller)
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
      await syncEmail(tx, row.id)
    })
  }
}

/** Returns whether the member pays for a plan, which a mistyped address must not remove. */
function isPaying({ planConnections }: MemberRow): boolean {
  return planConnections.some(({ type, status }) => type !== 'FREE' && status !== 'CANCELED')
}
