import { findMember } from '#features/members/index.ts'
import { CustomerDeletedError, type PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import type { Database, Db } from '#platform/database.ts'
import type { Jobs } from '#platform/jobs.ts'
import { syncEmail } from '../billing.jobs.ts'

type Deps = { database: Database; gateway: PaymentGateway; jobs: Jobs }

/** Keeps the address that the payment service writes to that of the member. */
export function createEmailSync({ database, gateway, jobs }: Deps) {
  return {
    /** Asks for it in the transaction that changes the address. */
    async request(tx: Db, memberId: string): Promise<void> {
      if (gateway.isSetUp) await jobs.enqueue(tx, syncEmail, { memberId })
    },
    /** The job's work: the address of now, however often it runs. */
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
