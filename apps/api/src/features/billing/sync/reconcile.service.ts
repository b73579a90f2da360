import { PaymentsUnavailableError } from '#integrations/payments/gateway-errors.ts'
import { type Db, isDatabaseUnavailable } from '#platform/database.ts'
import type { BillingDeps } from '../billing.deps.ts'
import type { AdoptCustomer } from '../customers/adoption.ts'
import { listGraceExpired, listOverdueSyncs } from '../customers/customers.repository.ts'
import { readOwnSales } from '../prices/prices.repository.ts'
import type { RefundService } from '../refunds/refunds.service.ts'
import { createDifferences, type FoundPlans } from './differences.ts'
import { countOpenPlans, listOpenPlans } from './plan-connections.repository.ts'
import type { SyncChange } from './plan-connections.ts'
import type { SubscriptionSync } from './subscription-sync.service.ts'

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

/** Finds changes whose events were lost. */
export function createReconcileService(deps: Deps) {
  const { database, gateway, subscriptionSync, refunds, apps, adopt, clock, logger, graceMs } = deps
  const differences = createDifferences(deps)

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
      const found: FoundPlans = { covered: new Set(), open: new Set(), unknown: new Map() }
      const different: string[] = []
      let subscriptions = 0
      for await (const page of gateway.listAllSubscriptions(own)) {
        for (const { id, customerId } of page) {
          seen.customers.add(customerId)
          seen.subscriptions.add(id)
        }
        subscriptions += page.length
        different.push(...(await differences.ofPage(page, found)))
        onProgress(`${subscriptions} subscriptions compared`)
      }
      different.push(...(await differences.findMissing(seen.subscriptions)))
      if (!isForced) await refuseBulkClose(database.db, [...new Set(different)], found.open)

      const problems: Problem[] = []
      for (const subscription of found.unknown.values()) {
        const { customerId } = subscription
        const reason = await adopt(subscription, own)
        if (reason === null) different.push(customerId)
        else problems.push({ id: customerId, reason })
      }
      const changes = await syncAll(different, problems)
      // Last, so that a failure in disputes blocks no comparison.
      changes.push(
        ...(await syncAll(await differences.findDisputes(), problems, subscriptionSync.cancelDisputed)),
      )
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

/** Throws if syncing the customers would close suspiciously many plans; `open` stay open. */
async function refuseBulkClose(
  db: Db,
  customerIds: readonly string[],
  open: ReadonlySet<string>,
): Promise<void> {
  let closing = 0
  for (let from = 0; from < customerIds.length; from += perPage) {
    const plans = await listOpenPlans(db, customerIds.slice(from, from + perPage))
    closing += plans.filter(({ memberId, planId }) => !open.has(`${memberId} ${planId}`)).length
  }
  const total = await countOpenPlans(db)
  if (closing > bulk.plans && closing > total * bulk.share) throw new BulkCloseError(closing, total)
}
