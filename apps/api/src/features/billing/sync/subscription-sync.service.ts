import { setTimeout as pause } from 'node:timers/promises'
import { lockMember, type MemberRow, memberCacheKey } from '#features/members/index.ts'
import { connectionIdPrefix } from '#features/plans/index.ts'
import { PaymentsRefusedError } from '#integrations/payments/gateway-errors.ts'
import type { PaymentGateway, Renewal, Subscription } from '#integrations/payments/payment-gateway.ts'
import type { Db, Sql } from '#platform/database.ts'
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
import { planNameOf } from '../prices/catalog.ts'
import { readOwnSales, readPrices } from '../prices/prices.repository.ts'
import type { RefundService } from '../refunds/refunds.service.ts'
import { billingEmailsFor } from './billing-emails.ts'
import { createCancellations } from './cancellations.service.ts'
import {
  createPaidConnection,
  listPaidConnections,
  releaseSubscriptions,
  removeConnections,
  updatePaidConnection,
} from './plan-connections.repository.ts'
import {
  type ConnectionChanges,
  compareConnections,
  connectionsOf,
  isInGoodStanding,
  isRunning,
  missingOf,
  paysWithOwnCard,
  type Renewals,
  renewalKey,
  type SyncChange,
  syncChangesOf,
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

/** Returns the function that cancels disputed subscriptions. */
function createDisputeCancellation(
  { database, gateway, logger }: Deps,
  sync: (customerId: string) => Promise<SyncChange[]>,
) {
  /** Cancels the subscription of an open or lost dispute and syncs its customer. Keeps later subscriptions. Idempotent. */
  return async function cancelDisputed(disputeId: string): Promise<SyncChange[]> {
    const disputed = await gateway.findDisputed(disputeId)
    const customer = disputed && (await findCustomer(database.db, disputed.customerId))
    if (customer === null) return []
    const invoice = disputed && (await gateway.findPaidInvoice(disputed.paymentId))
    const own = await readOwnSales(database.db, [customer.appId])
    const subscriptions = await gateway.listSubscriptions(customer.id, own)
    const subscription = subscriptions.find(({ id }) => id === invoice?.subscriptionId)
    if (subscription === undefined) return []
    const { id: subscriptionId } = subscription
    if (subscription.isShared) {
      logger.error({ subscriptionId, disputeId }, 'disputed subscription has other items')
    } else if (isRunning(subscription)) {
      await gateway.cancelSubscription(subscriptionId, 'payment_disputed')
      logger.warn({ subscriptionId, disputeId }, 'disputed subscription canceled')
    }
    return await sync(customer.id)
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

/** Stores what a customer's subscriptions mean for the member's plans, and enqueues the emails about it. */
async function updateConnections(
  tx: Db,
  deps: Deps,
  app: MembershipApp,
  row: MemberRow,
  { syncedAt }: LeasedCustomer,
  { subscriptions, renewals }: { subscriptions: readonly Subscription[]; renewals: Renewals },
): Promise<SyncChange[]> {
  const { clock, graceMs, emails, invalidation } = deps
  const prices = await readPrices(tx, app.id)
  const stored = await listPaidConnections(tx, [row.id])
  const now = clock.now()
  const paid = connectionsOf({ subscriptions, prices, now, graceMs, renewals })
  const wanted = [...paid, ...missingOf(stored, subscriptions, paid, now)]
  const changes = compareConnections(stored, wanted)
  if (changes.removed.length === 0 && changes.written.length === 0) return []

  await write(tx, deps, row, changes)
  const planName = (planId: string) => planNameOf(app, planId)
  const facts = { planName, prices, renewals, graceMs, storedAt: syncedAt }
  for (const { email, cause } of billingEmailsFor({ stored, wanted, subscriptions }, facts))
    await emails.enqueueToProved(tx, app, row.id, email, { cause })
  await invalidation.invalidate(tx, { at: [memberCacheKey(row.id)] })
  return syncChangesOf(row.id, changes)
}

async function write(
  tx: Db,
  { ids, clock }: Deps,
  { id: memberId }: MemberRow,
  { removed, written }: ConnectionChanges,
): Promise<void> {
  const replaced = written.flatMap(({ before }) => (before === null ? [] : [before.id]))
  await removeConnections(
    tx,
    removed.map(({ id }) => id),
  )
  await releaseSubscriptions(tx, replaced)
  for (const { before, after } of written) {
    if (before !== null) await updatePaidConnection(tx, before.id, after)
    else
      await createPaidConnection(tx, {
        ...after,
        id: ids.public(connectionIdPrefix),
        memberId,
        createdAt: clock.now(),
      })
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
