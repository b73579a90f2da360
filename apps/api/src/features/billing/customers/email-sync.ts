import { findMember } from '#features/members/index.ts'
import { CustomerDeletedError } from '#integrations/payments/gateway-errors.ts'
import type { Db } from '#platform/database.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { syncEmail } from '../billing.jobs.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'jobs'>

/** Keeps a customer's email at Stripe equal to the member's. */
export function createEmailSync({ database, gateway, jobs }: Deps) {
  return {
    /** Enqueues the sync in the transaction that changes the email. */
    async request(tx: Db, memberId: string): Promise<void> {
      if (gateway.isSetUp) await jobs.enqueue(tx, syncEmail, { memberId })
    },
    /** Sends the current email. May run twice. */
    async sync(memberId: string): Promise<void> {
      const row = await findMember(database.db, memberId)
      if (row === null || row.stripeCustomerId === null) return
      try {
        await gateway.updateEmail(row.stripeCustomerId, row.email)
      } catch (error) {
        if (!(error instanceof CustomerDeletedError)) throw error
      }
    },
  }
}
