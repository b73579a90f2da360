import { lockMember, memberCacheKey } from '#features/members/index.ts'
import type { OwnSales, Subscription } from '#integrations/payments/payment-gateway.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { storeCustomer } from './customers.repository.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'invalidation' | 'clock'>

/** Restores customers that a restored backup lacks. */
export function createCustomerAdoption({ database, gateway, invalidation, clock }: Deps) {
  /** Binds a customer to the member that Stripe's metadata names. Returns the reason if that isn't possible. */
  return async (
    { customerId, appId, memberId }: Subscription,
    { appIds }: OwnSales,
  ): Promise<string | null> => {
    const owner =
      appId !== null && memberId !== null ? { appId, memberId } : await gateway.findOwner(customerId)
    if (owner === null || !appIds.has(owner.appId)) return 'its metadata names no member of this site'
    return await database.transaction(async (tx) => {
      const row = await lockMember(tx, owner.memberId)
      if (row === null || row.appId !== owner.appId) return `member ${owner.memberId} does not exist`
      const stored = await storeCustomer(tx, { id: customerId, ...owner, now: clock.now() })
      if (stored !== customerId) return `member ${owner.memberId} already has customer ${stored}`
      await invalidation.invalidate(tx, { at: [memberCacheKey(owner.memberId)] })
      return null
    })
  }
}

export type AdoptCustomer = ReturnType<typeof createCustomerAdoption>
