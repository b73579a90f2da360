import { PaymentsRefusedError } from '#integrations/payments/gateway-errors.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { listCustomers, listPayingCustomers, listPayingOf } from '../customers/customers.repository.ts'
import { type PriceRow, readPrices } from '../prices/prices.repository.ts'
import { type ConnectionState, listPaidConnections } from './plan-connections.repository.ts'
import { connectionsOf, isRunning, isSame, isToSettle, paysWithOwnCard } from './plan-connections.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'clock' | 'logger' | 'graceMs'>

const perPage = 500

/** Plans with a newer subscription, plans that stay open, and running subscriptions without a customer here. */
export type FoundPlans = { covered: Set<string>; open: Set<string>; unknown: Map<string, Subscription> }

/** Creates what compares plans with Stripe's subscriptions, and changes nothing. */
export function createDifferences({ database, gateway, clock, logger, graceMs }: Deps) {
  /** Returns the customers of a page whose plans may differ from their subscriptions; pages come newest first. */
  async function ofPage(page: readonly Subscription[], found: FoundPlans): Promise<string[]> {
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
      logger.error({ err: error }, 'listing disputes failed')
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

  return { ofPage, findDisputes, findMissing }
}
