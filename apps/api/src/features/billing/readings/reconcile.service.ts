import {
  type PaymentGateway,
  PaymentsRefusedError,
  PaymentsUnavailableError,
  type Subscription,
} from '../../../integrations/payments/payment-gateway.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type Database, isDatabaseUnavailable } from '../../../platform/database.ts'
import type { Logger } from '../../../platform/logger.ts'
import { listCustomers } from '../customers.repository.ts'
import { type PriceRow, readPrices } from '../prices/prices.repository.ts'
import { type ConnectionState, listPaidConnections } from './connections.repository.ts'
import { connectionsOf, isLiving, isSame } from './connections.ts'
import { listGraceEnded, listOverdue, listPayingCustomers, listPayingOf } from './readings.repository.ts'
import type { ReadingChange, ReadingService } from './readings.service.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  readings: ReadingService
  clock: Clock
  logger: Logger
  graceMs: number
}

/** What a comparison with the payment service found and mended. */
export type Reconciliation = { subscriptions: number; customers: number; changes: ReadingChange[] }

export type ReconcileService = {
  /** Compares every plan with the payment service's own list, and mends what no event told. Says each change. */
  reconcile(onProgress?: (line: string) => void): Promise<Reconciliation>
  /** Ends grace that is over, and wakes readings that were forgotten. */
  sweep(): Promise<void>
}

const perPage = 500
const forgottenMs = 10 * 60_000

/** What finds the changes that nobody told of. */
export function createReconcileService(deps: Deps): ReconcileService {
  const { database, gateway, readings, clock, logger, graceMs } = deps

  /**
   * Of the customers of a page, those whose plans are not as their subscriptions: a reading decides. Pages come with the
   * newest subscriptions first; `covered` remembers the plans of which a newer one was seen.
   */
  async function findDifferent(page: readonly Subscription[], covered: Set<string>): Promise<string[]> {
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
        if (customer === undefined) return false
        if (customer.memberId === null) return isLiving(subscription)
        const wanted = wantedOf(subscription, prices.get(customer.appId) ?? new Map())
        const row = stored.bySubscription.get(subscription.id)
        if (wanted === null) return row !== undefined || isLiving(subscription)
        const plan = `${customer.memberId} ${wanted.planId}`
        const isNewest = !covered.has(plan)
        covered.add(plan)
        if (row !== undefined) return !isSame(row, wanted)
        if (isLiving(subscription)) return true
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

  async function readAll(customerIds: Iterable<string>, read = readings.read): Promise<ReadingChange[]> {
    const changes: ReadingChange[] = []
    for (const customerId of new Set(customerIds)) {
      const made = await readOne(customerId, read)
      for (const change of made) logger.info(change, 'the reconciliation changed a plan')
      changes.push(...made)
    }
    return changes
  }

  /** One that cannot be read keeps nobody else from being read. When nobody can be, it ends, to be tried again. */
  async function readOne(customerId: string, read: ReadingService['read']): Promise<ReadingChange[]> {
    try {
      return await read(customerId)
    } catch (error) {
      if (error instanceof PaymentsUnavailableError || isDatabaseUnavailable(error)) throw error
      logger.error({ err: error, customerId }, 'what a customer pays could not be read')
      return []
    }
  }

  return {
    async reconcile(onProgress = () => {}) {
      const seen = new Set<string>()
      const covered = new Set<string>()
      const changes: ReadingChange[] = []
      let subscriptions = 0
      for await (const page of gateway.listAllSubscriptions()) {
        for (const { customerId } of page) seen.add(customerId)
        subscriptions += page.length
        changes.push(...(await readAll(await findDifferent(page, covered))))
        onProgress(`${subscriptions} subscriptions compared, ${changes.length} plans changed`)
      }
      changes.push(...(await readAll(await findVanished(seen))))
      // Last: whatever is wrong about disputes keeps no plan from being compared.
      changes.push(...(await readAll(await findDisputes(), readings.cancelDisputed)))
      logger.info({ subscriptions, changes: changes.length }, 'the reconciliation has compared every plan')
      return { subscriptions, customers: seen.size, changes }
    },
    async sweep() {
      const now = clock.now().getTime()
      const overdue = await listOverdue(database.db, new Date(now - forgottenMs), perPage)
      const graceEnded = await listGraceEnded(database.db, new Date(now - graceMs), perPage)
      await readAll([...overdue, ...graceEnded])
    },
  }
}
