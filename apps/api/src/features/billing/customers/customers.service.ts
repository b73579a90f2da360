import { fail as failMember, lockMember, type MemberRow } from '#features/members/index.ts'
import type { PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { Logger } from '#platform/logger.ts'
import { syncEmail } from '../billing.jobs.ts'
import { storeCustomer } from '../customers/customers.repository.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  jobs: Jobs
  invalidation: Invalidation
  clock: Clock
  logger: Logger
}

export type PaymentCustomers = {
  /** Returns the member's one customer at the payment service, creating it when there is none. */
  ensure(member: MemberRow): Promise<string>
}

/** One customer a member, however many pages ask at once. */
export function createPaymentCustomers({
  database,
  gateway,
  jobs,
  invalidation,
  clock,
  logger,
}: Deps): PaymentCustomers {
  async function create({ id: memberId, appId, email }: MemberRow): Promise<string> {
    const made = await gateway.createCustomer({ memberId, appId, email })
    const noted = await database.transaction(async (tx) => {
      const row = await lockMember(tx, memberId)
      if (row === null) throw failMember('member-not-found')
      const id = await storeCustomer(tx, { id: made, appId, memberId, now: clock.now() })
      // It was made with the address of before.
      if (id === made && row.email !== email) await jobs.enqueue(tx, syncEmail, { memberId })
      await invalidation.invalidate(tx, { at: [cacheKeys.member(memberId)] })
      return id
    })
    if (noted !== made) await discard(made)
    return noted
  }

  /** Another page was quicker, with another address perhaps. Nobody has paid as this one. */
  async function discard(customerId: string): Promise<void> {
    await gateway
      .removeCustomer(customerId)
      .catch((error: unknown) => logger.warn({ err: error }, 'a customer that nobody needs was left behind'))
  }

  return {
    ensure: async (member) => member.stripeCustomerId ?? (await create(member)),
  }
}
