import { setTimeout as pause } from 'node:timers/promises'
import { lockMember } from '#features/members/index.ts'
import { PaymentsRefusedError } from '#integrations/payments/gateway-errors.ts'
import type { PaymentGateway, Renewal, Subscription } from '#integrations/payments/payment-gateway.ts'
import type { Sql } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { syncCustomer } from '../billing.jobs.ts'
import {
  completeSync,
  findCustomer,
  type LeasedCustomer,
  markSyncsRequested,
  releaseLease,
  takeLease,
} from '../customers/customers.repository.ts'
import { readOwnSales } from '../prices/prices.repository.ts'
import type { RefundService } from '../refunds/refunds.service.ts'
import { createCancellations } from './cancellations.service.ts'
import { type SyncChange, updateConnections } from './connection-updates.ts'
import { createDisputeCancellation } from './disputed-subscriptions.ts'
import {
  isInGoodStanding,
  isRunning,
  paysWithOwnCard,
  type Renewals,
  renewalKey,
} from './plan-connections.ts'

type Deps = Omit<BillingDeps, 'siteUrl'> & { refunds: RefundService }

export type SubscriptionSync = ReturnType<typeof createSubscriptionSync>

/** How often, and how many times, a sync tries to take the lease of another one. */
const retry = { ms: 100, attempts: 50 }

/** Keeps plan connections equal to Stripe's subscriptions, which are the source of truth. */
export function createSubscriptionSync(deps: Deps) {
  const { database, gateway, jobs, apps, clock, ids, logger } = deps
  const cancellations = createCancellations(deps)
  const request = createSyncRequests(deps)

  async function sync(customerId: string): Promise<SyncChange[]> {
    for (let attempt = 0; attempt < retry.attempts; attempt += 1) {
      if (attempt > 0) await pause(retry.ms)
      const lease = { id: customerId, leaseToken: ids.uuid() }
      const customer = await takeLease(database.db, lease, clock.now())
      if (customer !== null) return await syncLeased(customer)
      if ((await findCustomer(database.db, customerId)) === null) return []
    }
    await database.transaction((tx) => request(tx, [customerId]))
    return []
  }

  async function syncLeased(customer: LeasedCustomer): Promise<SyncChange[]> {
    try {
      const own = await readOwnSales(database.db, [customer.appId])
      const listed = await gateway.listSubscriptions(customer.id, own)
      const app = (await apps.directory()).byId.get(customer.appId)
      const settledSubscriptionIds = await cancellations.settleEnded(customer, listed)
      const subscriptions = await cancellations.cancelExcess(customer, listed)
      // Another sync has the lease now, and reads newer subscriptions.
      if (subscriptions === null) return []
      const renewals = await previewRenewals(gateway, subscriptions.filter(isInGoodStanding))
      const changes = await store({ ...customer, settledSubscriptionIds }, app, subscriptions, renewals)
      await useDefaultCards(subscriptions)
      return changes
    } catch (error) {
      await database.transaction(async (tx) => {
        if (await releaseLease(tx, customer))
          await jobs.enqueue(tx, syncCustomer, { customerId: customer.id })
      })
      throw error
    }
  }

  /** Lets a card that the member changes in the portal pay renewals. */
  async function useDefaultCards(subscriptions: readonly Subscription[]): Promise<void> {
    for (const { id: subscriptionId } of subscriptions.filter(paysWithOwnCard)) {
      try {
        await gateway.useDefaultCard(subscriptionId)
      } catch (error) {
        // The subscription then keeps its card: a refusal must not block the sync.
        if (!(error instanceof PaymentsRefusedError)) throw error
        logger.warn({ err: error, subscriptionId }, 'own card of a subscription kept')
      }
    }
  }

  /** Stores the subscriptions, unless another sync has the lease. */
  async function store(
    customer: LeasedCustomer,
    app: MembershipApp | undefined,
    subscriptions: readonly Subscription[],
    renewals: Renewals,
  ): Promise<SyncChange[]> {
    const { id, memberId } = customer
    const isPaying = subscriptions.some(isRunning)
    return await database.transaction(async (tx) => {
      const row = memberId === null ? null : await lockMember(tx, memberId)
      const completed = await completeSync(tx, customer, { isPaying, now: clock.now() })
      if (completed === null) return []
      // Syncs again, because Stripe's list may be older than the request.
      if (completed.isRequested) await jobs.enqueue(tx, syncCustomer, { customerId: id })
      // The account was deleted during the sync, so the next one cancels its subscriptions.
      if (row === null && memberId !== null) await request(tx, [id])
      if (row === null || app === undefined) return []
      return await updateConnections(tx, deps, app, row, customer, { subscriptions, renewals })
    })
  }

  return {
    request,
    /**
     * Syncs a customer's plan connections with Stripe; returns the changes. One sync of a customer runs at a time: another
     * one waits for five seconds, then requests a sync instead and returns no changes.
     */
    sync,
    cancelDisputed: createDisputeCancellation(deps, sync),
  }
}

export function createSyncRequests({ jobs, clock }: Pick<Deps, 'jobs' | 'clock'>) {
  /** Requests syncs in the caller's transaction; one job serves many requests. */
  return async (tx: Sql, customerIds: readonly string[]): Promise<void> => {
    const first = await markSyncsRequested(tx, customerIds, clock.now())
    await jobs.enqueueAll(
      tx,
      syncCustomer,
      first.map((customerId) => ({ customerId })),
    )
  }
}

/** Previews the renewals of running subscriptions with a discount or tax, at their scheduled or current price. */
async function previewRenewals(
  gateway: PaymentGateway,
  subscriptions: readonly Subscription[],
): Promise<Renewals> {
  const renewals = new Map<string, Renewal>()
  for (const subscription of subscriptions) {
    if (subscription.adjustedBy === null) continue
    const priceId = subscription.schedule?.nextPriceId ?? subscription.priceId
    try {
      renewals.set(renewalKey(subscription, priceId), await gateway.previewRenewal(subscription))
    } catch (error) {
      // The site then shows no price: a failed preview must not block the sync.
      if (!(error instanceof PaymentsRefusedError)) throw error
    }
  }
  return renewals
}
