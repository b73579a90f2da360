import { fail as failMember, lockMember, type MemberRow, memberCacheKey } from '#features/members/index.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { syncEmail } from '../billing.jobs.ts'
import { storeCustomer } from './customers.repository.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'jobs' | 'invalidation' | 'clock'>

export type PaymentCustomers = ReturnType<typeof createPaymentCustomers>

export function createPaymentCustomers(deps: Deps) {
  const { database, gateway, jobs, invalidation, clock } = deps

  async function create({ id: memberId, appId, email }: MemberRow): Promise<string> {
    const created = await gateway.createCustomer({ memberId, appId, email })
    return await database.transaction(async (tx) => {
      const row = await lockMember(tx, memberId)
      if (row === null) throw failMember('member-not-found')
      const id = await storeCustomer(tx, { id: created, appId, memberId, now: clock.now() })
      // The customer was created with the former email.
      if (id === created && row.email !== email) await jobs.enqueue(tx, syncEmail, { memberId })
      await invalidation.invalidate(tx, { at: [memberCacheKey(memberId)] })
      return id
    })
  }

  return {
    /** Returns the member's only customer, creating it if needed. Concurrent calls return the same one. */
    async ensure(member: MemberRow): Promise<string> {
      return member.stripeCustomerId ?? (await create(member))
    },
  }
}
