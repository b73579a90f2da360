import { PaymentsRefusedError, PaymentsUnavailableError } from '#integrations/payments/gateway-errors.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import { isDatabaseUnavailable } from '#platform/database.ts'
import type { BillingDeps } from '../billing.deps.ts'
import type { AdoptCustomer } from '../customers/adoption.ts'
import { listCustomers } from '../customers/customers.repository.ts'
import { type PriceRow, readOwnSales, readPrices } from '../prices/prices.repository.ts'
import type { RefundService } from '../refunds/refunds.service.ts'
import { isToSettle } from './ended-subscriptions.ts'
import { type ConnectionState, listPaidConnections } from './plan-connections.repository.ts'
import { connectionsOf, isRunning, isSame, paysWithOwnCard } from './plan-connections.ts'
import type { SubscriptionSync, SyncChange } from './subscription-sync.service.ts'
import {
  countOpenPlans,
  listGraceExpired,
  listOpenPlans,
  listOverdueSyncs,
  listPayingCustomers,
  listPayingOf,
} from './sync-state.repository.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'apps' | 'clock' | 'logger' | 'graceMs'> & {
  subscriptionSync: SubscriptionSync
  adopt: AdoptCustomer
  refunds: RefundService
}

type Problem = { id: string; reason: string }
type Options = { onProgress?: (line: string) => void; isForced?: boolean }

/** So many plans would close that the key or database is more likely wrong than the plans. */
export class BulkCloseError extends Error {
  override name = 'BulkCloseError'
  constructor(closing: number, open: number) {
    super(`${closing} of ${open} open plans would be closed`)
  }
}

/** More closing plans than both limits stop the reconciliation. */
const bulk = { plans: 5, share: 0.05 }
const perPage = 500
const overdueMs = 10 * 60_000

/** Plans with a newer subscription, plans that stay open, and running subscriptions without a customer here. */
type Found = { covered: Set<string>; open: Set<string>; unknown: Map<string, Subscription> }

/** Finds changes whose events were lost. */
export function createReconcileService(deps: Deps) {
  const { database, gateway, subscriptionSync, refunds, apps, adopt, clock, logger, graceMs } = deps

  /** Returns the customers of a page whose plans may differ from their subscriptions; pages come newest first. */
  async function findDifferent(page: readonly Subscription[], found: Found): Promise<string[]> {
    const customers = await listCustomers(database.db, [...new Set(page.map(({ customerId }) => customerId))])
    const memberIds = customers.flatMap(({ memberId }) => (memberId === null ? [] : [memberId]))
    const rows = await listPaidConnections(database.db, memberIds)
    const stored = {
      bySubscription: new Map(rows.map((row) => [row.subscriptionId, row])),
      byPlan: new Map(rows.map((row) => [`${row.memberId} ${row.planId}`, row])),
    }
    const known = new Map(customers.map((customer) => [customer.id, customer]))
    const prices = new Map<string, ReadonlyMap<string, PriceRow>>()
    for (const appId of new Set(customers.map((customer) => customer.appId))) {
      prices.set(appId, await readPrices(database.db, appId))
    }
    return page
      .filter((subscription) => {
        const customer = known.get(subscription.customerId)
        if (customer === undefined) {
          if (isRunning(subscription)) found.unknown.set(subscription.customerId, subscription)
          return false
        }
        if (isToSettle(subscription, customer, clock.now())) return true
        if (customer.memberId === null) return isRunning(subscription)
        const wanted = wantedOf(subscription, prices.get(customer.appId) ?? new Map())
        const row = stored.bySubscription.get(subscription.id)
        if (wanted === null) return row !== undefined || isRunning(subscription)
        const plan = `${customer.memberId} ${wanted.planId}`
        const isNewest = !found.covered.has(plan)
        found.covered.add(plan)
        if (wanted.active) found.open.add(plan)
        if (row !== undefined) return !isSame(row, wanted) || paysWithOwnCard(subscription)
        if (isRunning(subscription)) return true
        // An ended subscription whose events were lost, unless another one of the same plan replaced it.
        const rival = stored.byPlan.get(plan)
        return isNewest && (rival === undefined || rival.status === 'CANCELED')
      })
      .map(({ customerId }) => customerId)
  }

  /** Returns the connection of a subscription, as if it were the member's only one. */
  function wantedOf(
    subscription: Subscription,
    prices: ReadonlyMap<string, PriceRow>,
  ): ConnectionState | null {
    const now = clock.now()
    return connectionsOf({ subscriptions: [subscription], prices, now, graceMs })[0] ?? null
  }

  /** Returns disputes of customers with a plan, whose events may be lost. */
  async function findDisputes(): Promise<string[]> {
    const found: string[] = []
    try {
      for await (const page of gateway.listDisputes()) {
        const paying = await listPayingOf(
          database.db,
          page.map(({ customerId }) => customerId),
        )
        found.push(...page.filter(({ customerId }) => paying.has(customerId)).map(({ id }) => id))
      }
    } catch (error) {
      if (!(error instanceof PaymentsRefusedError)) throw error
      logger.error({ err: error }, 'dispute list failed')
    }
    return found
  }

  /** Returns customers with a plan whose subscription isn't ours at Stripe any more, such as one of another product. */
  async function findMissing(seen: ReadonlySet<string>): Promise<string[]> {
    const missing: string[] = []
    for (let after = ''; ; ) {
      const page = await listPayingCustomers(database.db, after, perPage)
      const memberIds = page.flatMap(({ memberId }) => (memberId === null ? [] : [memberId]))
      const plans = await listPaidConnections(database.db, memberIds)
      const lost = plans.filter(
        ({ status, subscriptionId: id }) => status !== 'CANCELED' && id !== null && !seen.has(id),
      )
      const losing = new Set<string | null>(lost.map(({ memberId }) => memberId))
      missing.push(...page.filter(({ memberId }) => losing.has(memberId)).map(({ id }) => id))
      const last = page.at(-1)
      if (last === undefined || page.length < perPage) return missing
      after = last.id
    }
  }

  /** Throws if syncing the customers would close suspiciously many plans; `open` stay open. */
  async function refuseBulkClose(customerIds: readonly string[], open: ReadonlySet<string>): Promise<void> {
    let closing = 0
    for (let from = 0; from < customerIds.length; from += perPage) {
      const plans = await listOpenPlans(database.db, customerIds.slice(from, from + perPage))
      closing += plans.filter(({ memberId, planId }) => !open.has(`${memberId} ${planId}`)).length
    }
    const total = await countOpenPlans(database.db)
    if (closing > bulk.plans && closing > total * bulk.share) throw new BulkCloseError(closing, total)
  }

  async function syncAll(
    customerIds: Iterable<string>,
    problems: Problem[] = [],
    sync = subscriptionSync.sync,
  ): Promise<SyncChange[]> {
    const changes: SyncChange[] = []
    for (const customerId of new Set(customerIds)) {
      const synced = await syncOne(customerId, sync)
      if (synced === null) problems.push({ id: customerId, reason: 'the sync failed' })
      for (const change of synced ?? []) logger.info(change, 'reconciliation changed a plan')
      changes.push(...(synced ?? []))
    }
    return changes
  }

  /** Returns null if one customer's sync fails. Throws, for the job to retry, if every sync would fail. */
  async function syncOne(customerId: string, sync: SubscriptionSync['sync']): Promise<SyncChange[] | null> {
    try {
      return await sync(customerId)
    } catch (error) {
      if (error instanceof PaymentsUnavailableError || isDatabaseUnavailable(error)) throw error
      logger.error({ err: error, customerId }, 'subscription sync failed')
      return null
    }
  }

  return {
    /** Syncs every plan with Stripe. Throws {@link BulkCloseError} before any change, unless forced. */
    async reconcile({ onProgress = () => {}, isForced = false }: Options = {}) {
      const own = await readOwnSales(database.db, (await apps.directory()).byId.keys())
      const seen = { customers: new Set<string>(), subscriptions: new Set<string>() }
      const found: Found = { covered: new Set(), open: new Set(), unknown: new Map() }
      const different: string[] = []
      let subscriptions = 0
      for await (const page of gateway.listAllSubscriptions(own)) {
        for (const { id, customerId } of page) {
          seen.customers.add(customerId)
          seen.subscriptions.add(id)
        }
        subscriptions += page.length
        different.push(...(await findDifferent(page, found)))
        onProgress(`${subscriptions} subscriptions compared`)
      }
      different.push(...(await findMissing(seen.subscriptions)))
      if (!isForced) await refuseBulkClose([...new Set(different)], found.open)

      const problems: Problem[] = []
      for (const subscription of found.unknown.values()) {
        const { customerId } = subscription
        const reason = await adopt(subscription, own)
        if (reason === null) different.push(customerId)
        else problems.push({ id: customerId, reason })
      }
      const changes = await syncAll(different, problems)
      // Last, so that a failure in disputes blocks no comparison.
      changes.push(...(await syncAll(await findDisputes(), problems, subscriptionSync.cancelDisputed)))
      await refunds.syncFailed()
      for (const problem of problems) logger.error(problem, 'reconcile failed')
      logger.info({ subscriptions, changes: changes.length }, 'reconciliation completed')
      return { subscriptions, customers: seen.customers.size, changes, problems }
    },
    /** Closes plans whose grace period is over, and repeats overdue syncs. */
    async sweep(): Promise<void> {
      const now = clock.now()
      const before = (ms: number) => new Date(now.getTime() - ms)
      const overdue = await listOverdueSyncs(database.db, { now, before: before(overdueMs) }, perPage)
      const graceExpired = await listGraceExpired(database.db, before(graceMs), perPage)
      await syncAll([...overdue, ...graceExpired])
    },
  }
}
