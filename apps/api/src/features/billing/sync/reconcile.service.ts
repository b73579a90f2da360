import {
  type PaymentGateway,
  PaymentsRefusedError,
  PaymentsUnavailableError,
  type Subscription,
} from '#integrations/payments/payment-gateway.ts'
import type { Clock } from '#platform/clock.ts'
import { type Database, isDatabaseUnavailable } from '#platform/database.ts'
import type { Logger } from '#platform/logger.ts'
import type { MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import type { AdoptCustomer } from '../customers/adoption.ts'
import { type CustomerRow, listCustomers } from '../customers/customers.repository.ts'
import { type PriceRow, readOwnSales, readPrices } from '../prices/prices.repository.ts'
import type { RefundService } from '../refunds/refunds.service.ts'
import { type ConnectionState, listPaidConnections } from './plan-connections.repository.ts'
import { connectionsOf, isRunning, isSame } from './plan-connections.ts'
import type { SubscriptionSync, SyncChange } from './subscription-sync.service.ts'
import {
  countOpenPlans,
  listGraceExpired,
  listOpenPlans,
  listOverdueSyncs,
  listPayingCustomers,
  listPayingOf,
} from './sync-state.repository.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  subscriptionSync: SubscriptionSync
  apps: MembershipApps
  adopt: AdoptCustomer
  refunds: RefundService
  clock: Clock
  logger: Logger
  graceMs: number
}

/** What a comparison with the payment service found and corrected; and the customers and disputes that it couldn't handle. */
export type Reconciliation = {
  subscriptions: number
  customers: number
  changes: SyncChange[]
  problems: { id: string; reason: string }[]
}

export type ReconcileService = {
  /**
   * Compares every plan with the payment service's own list, adopts customers that are missing here, and corrects what no
   * event told. Throws {@link BulkCloseError} before it changes anything, unless it is forced to.
   */
  reconcile(options?: { onProgress?: (line: string) => void; isForced?: boolean }): Promise<Reconciliation>
  /** Ends grace that is over, and wakes subscriptionSync that were forgotten. */
  sweep(): Promise<void>
}

/** So many plans would close that the key, the database or Stripe is more likely wrong than the plans. */
export class BulkCloseError extends Error {
  override name = 'BulkCloseError'
  constructor(closing: number, open: number) {
    super(`${closing} of ${open} open plans would be closed`)
  }
}

/** More plans than both are suspicious. */
const bulk = { plans: 5, share: 0.05 }
const perPage = 500
type Found = { covered: Set<string>; open: Set<string>; strangers: Map<string, Subscription> }

const forgottenMs = 10 * 60_000

/** What finds the changes that nobody told of. */
export function createReconcileService(deps: Deps): ReconcileService {
  const { database, gateway, subscriptionSync, refunds, apps, adopt, clock, logger, graceMs } = deps

  /**
   * Of the customers of a page, those whose plans are not as their subscriptions: a reading decides. Pages come with the
   * newest subscriptions first. `found` remembers the plans of which a newer one was seen, the plans that are to be open, and
   * the running subscriptions whose customer is missing here.
   */
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
          if (isRunning(subscription)) found.strangers.set(subscription.customerId, subscription)
          return false
        }
        if (isUnsettled(subscription, customer)) return true
        if (customer.memberId === null) return isRunning(subscription)
        const wanted = wantedOf(subscription, prices.get(customer.appId) ?? new Map())
        const row = stored.bySubscription.get(subscription.id)
        if (wanted === null) return row !== undefined || isRunning(subscription)
        const plan = `${customer.memberId} ${wanted.planId}`
        const isNewest = !found.covered.has(plan)
        found.covered.add(plan)
        if (wanted.active) found.open.add(plan)
        if (row !== undefined) return !isSame(row, wanted)
        if (isRunning(subscription)) return true
        // One that has ended, and that nobody told of, unless it has made room for another of the same plan.
        const rival = stored.byPlan.get(plan)
        return isNewest && (rival === undefined || rival.status === 'CANCELED')
      })
      .map(({ customerId }) => customerId)
  }

  /** What a connection would be, were this the member's only subscription. */
  function wantedOf(
    subscription: Subscription,
    prices: ReadonlyMap<string, PriceRow>,
  ): ConnectionState | null {
    const now = clock.now()
    return connectionsOf({ subscriptions: [subscription], prices, now, graceMs })[0] ?? null
  }

  /** Disputes of customers whose plan is open, which it is until the dispute's event has been received. */
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
      logger.error({ err: error }, 'listing disputes was refused')
    }
    return found
  }

  /** Customers whose plan is open here, and of whom the payment service says nothing any more. */
  async function findVanished(seen: ReadonlySet<string>): Promise<string[]> {
    const vanished: string[] = []
    for (let after = ''; ; ) {
      const page = await listPayingCustomers(database.db, after, perPage)
      vanished.push(...page.map(({ id }) => id).filter((id) => !seen.has(id)))
      const last = page.at(-1)
      if (last === undefined || page.length < perPage) return vanished
      after = last.id
    }
  }

  /** Throws when applying what was found would close suspiciously many plans; `open` are those that stay open. */
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
    problems: Reconciliation['problems'] = [],
    sync = subscriptionSync.sync,
  ): Promise<SyncChange[]> {
    const changes: SyncChange[] = []
    for (const customerId of new Set(customerIds)) {
      const made = await syncOne(customerId, sync)
      if (made === null) problems.push({ id: customerId, reason: 'it could not be read' })
      for (const change of made ?? []) logger.info(change, 'the reconciliation changed a plan')
      changes.push(...(made ?? []))
    }
    return changes
  }

  /** One that cannot be read keeps nobody else from being read. When nobody can be, it ends, to be tried again. */
  async function syncOne(customerId: string, sync: SubscriptionSync['sync']): Promise<SyncChange[] | null> {
    try {
      return await sync(customerId)
    } catch (error) {
      if (error instanceof PaymentsUnavailableError || isDatabaseUnavailable(error)) throw error
      logger.error({ err: error, customerId }, 'what a customer pays could not be read')
      return null
    }
  }

  return {
    async reconcile({ onProgress = () => {}, isForced = false } = {}) {
      const own = await readOwnSales(database.db, (await apps.directory()).byId.keys())
      const seen = new Set<string>()
      const found: Found = { covered: new Set(), open: new Set(), strangers: new Map() }
      const different: string[] = []
      let subscriptions = 0
      for await (const page of gateway.listAllSubscriptions(own)) {
        for (const { customerId } of page) seen.add(customerId)
        subscriptions += page.length
        different.push(...(await findDifferent(page, found)))
        onProgress(`${subscriptions} subscriptions compared`)
      }
      different.push(...(await findVanished(seen)))
      if (!isForced) await refuseBulkClose([...new Set(different)], found.open)

      const problems: Reconciliation['problems'] = []
      for (const subscription of found.strangers.values()) {
        const { customerId } = subscription
        const reason = await adopt(subscription, own)
        if (reason === null) different.push(customerId)
        else problems.push({ id: customerId, reason })
      }
      const changes = await syncAll(different, problems)
      // Last: whatever is wrong about disputes keeps no plan from being compared.
      changes.push(...(await syncAll(await findDisputes(), problems, subscriptionSync.cancelDisputed)))
      await refunds.syncFailed()
      for (const problem of problems) logger.error(problem, 'reconcile failed')
      logger.info({ subscriptions, changes: changes.length }, 'the reconciliation has compared every plan')
      return { subscriptions, customers: seen.size, changes, problems }
    },
    async sweep() {
      const now = clock.now().getTime()
      const overdue = await listOverdueSyncs(database.db, new Date(now - forgottenMs), perPage)
      const graceEnded = await listGraceExpired(database.db, new Date(now - graceMs), perPage)
      await syncAll([...overdue, ...graceEnded])
    },
  }
}

/** Whether an ended subscription may still be owed for, or was paid for since. */
function isUnsettled({ id, endedAt, isShared }: Subscription, { settled }: CustomerRow): boolean {
  return endedAt !== null && !isShared && !settled.includes(id)
}
