import { lockMember } from '#features/members/index.ts'
import type { OwnSales, PaymentGateway, Subscription } from '#integrations/payments/payment-gateway.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import { storeCustomer } from '../customers/customers.repository.ts'

type Deps = { database: Database; gateway: PaymentGateway; invalidation: Invalidation; clock: Clock }

/**
 * Binds the customer of one of our subscriptions, who is missing here, to the member that Stripe's metadata names. Returns
 * why that isn't possible; null when it was done.
 */
export type AdoptCustomer = (subscription: Subscription, own: OwnSales) => Promise<string | null>

/** Finds members again whose customers a restored backup doesn't have. */
export function createCustomerAdoption({ database, gateway, invalidation, clock }: Deps): AdoptCustomer {
  return async ({ customerId, appId, memberId }, { appIds }) => {
    const owner =
      appId !== null && memberId !== null ? { appId, memberId } : await gateway.findOwner(customerId)
    if (owner === null || !appIds.has(owner.appId)) return 'its metadata names no member of an app here'
    return await database.transaction(async (tx) => {
      const row = await lockMember(tx, owner.memberId)
      if (row === null || row.appId !== owner.appId) return `there is no member ${owner.memberId}`
      const noted = await storeCustomer(tx, { id: customerId, ...owner, now: clock.now() })
      if (noted !== customerId) return `member ${owner.memberId} has the customer ${noted}`
      await invalidation.invalidate(tx, { at: [cacheKeys.member(owner.memberId)] })
      return null
    })
  }
}
