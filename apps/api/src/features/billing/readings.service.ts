import type { PaymentGateway, Subscription } from '../../integrations/payments/payment-gateway.ts'
import { cacheKeys } from '../../platform/cache-keys.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/database.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Jobs } from '../../platform/jobs.ts'
import type { Logger } from '../../platform/logger.ts'
import type { MembershipApp, MembershipApps } from '../../platform/membership-apps/membership-apps.ts'
import { minorUnits } from '../../platform/money.ts'
import type { Staleness } from '../../platform/stale.ts'
import type { NoticeService } from '../auth/index.ts'
import { findMember, lockMember, type MemberRow } from '../members/index.ts'
import { customerChanged } from './billing.jobs.ts'
import {
  beginReading,
  type ConnectionState,
  type CustomerRow,
  createPaidConnection,
  findCustomer,
  listPaidConnections,
  type PriceRow,
  readPrices,
  releaseSubscriptions,
  removeConnections,
  type StoredConnection,
  setDisputed,
  takeReading,
  updatePaidConnection,
  wantReadings,
} from './billing.repository.ts'
import { chooseLiving, compareConnections, connectionsOf, isLiving } from './connections.ts'
import { noticesOf } from './notices.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  jobs: Jobs
  apps: MembershipApps
  notices: NoticeService
  staleness: Staleness
  clock: Clock
  ids: Ids
  logger: Logger
  graceMs: number
}

/** One plan of a member that was not as the payment service has it, and is now. */
export type ReadingChange = { memberId: string; planId: string; before: string; after: string }

export type ReadingService = {
  /** Asks, in the caller's transaction, for customers to be read anew; a job does it, once for many askings. */
  want(tx: Db, customerIds: readonly string[]): Promise<void>
  /**
   * Reads what a customer has subscribed to and makes the member's plans follow; answers what it changed. May run
   * twice and at once: the truth that was read last stays. Rejects when the payment service cannot be reached.
   */
  read(customerId: string): Promise<ReadingChange[]>
  /** Looks whether a customer's payments are disputed, and reads them when that has changed. */
  readDisputes(customerId: string): Promise<ReadingChange[]>
}

/** The payment service is the truth about what is paid; what is stored here follows it. */
export function createReadingService(deps: Deps): ReadingService {
  const { database, gateway, jobs, apps, notices, staleness, clock, ids, logger, graceMs } = deps

  async function want(tx: Db, customerIds: readonly string[]): Promise<void> {
    const first = await wantReadings(tx, customerIds, clock.now())
    for (const customerId of first) await jobs.enqueue(tx, customerChanged, { customerId })
  }

  async function read(customerId: string): Promise<ReadingChange[]> {
    const customer = await beginReading(database.db, customerId)
    if (customer === null) return []
    const listed = await gateway.listSubscriptions(customerId)
    const app = (await apps.directory()).byId.get(customer.appId)
    const subscriptions = await endDoublePayments(customer, app, listed)
    const changes = await database.transaction(async (tx) => {
      const row = customer.memberId === null ? null : await lockMember(tx, customer.memberId)
      const taking = { id: customerId, reading: customer.reading, wanted: customer.wanted }
      if (!(await takeReading(tx, taking, clock.now()))) return []
      // Who left in this moment is read as somebody who has left: what was kept here has to end.
      if (row === null && customer.memberId !== null) await want(tx, [customerId])
      if (row === null || app === undefined) return []
      return await follow(tx, app, row, customer, subscriptions)
    })
    await readAgainIfWanted(customerId)
    return changes
  }

  /** What was asked for while the payment service was read may not be in what it answered. */
  async function readAgainIfWanted(customerId: string): Promise<void> {
    const customer = await findCustomer(database.db, customerId)
    if (customer === null || customer.wanted <= customer.done) return
    await jobs.enqueue(database.db, customerChanged, { customerId })
  }

  /**
   * Whoever pays twice, or has left, gets their money back. What is done stays so when this runs again, and the mail is
   * written before the subscription ends: after that nobody would look for it.
   */
  async function endDoublePayments(
    customer: CustomerRow,
    app: MembershipApp | undefined,
    listed: readonly Subscription[],
  ): Promise<Subscription[]> {
    const kept = customer.memberId === null ? null : chooseLiving(listed)
    const subscriptions: Subscription[] = []
    for (const subscription of listed) {
      if (!isLiving(subscription) || subscription === kept) {
        subscriptions.push(subscription)
        continue
      }
      await gateway.refundLatestInvoice(subscription)
      await tellRefund(customer, app, subscription)
      await gateway.cancelSubscription(subscription.id)
      logger.warn(
        { subscriptionId: subscription.id, memberId: customer.memberId },
        'a second subscription was ended and its payment given back',
      )
      subscriptions.push({ ...subscription, status: 'canceled', endedAt: clock.now() })
    }
    return subscriptions
  }

  async function tellRefund(
    { memberId }: CustomerRow,
    app: MembershipApp | undefined,
    { id, latestInvoice, priceId }: Subscription,
  ): Promise<void> {
    if (memberId === null || app === undefined || !latestInvoice?.isPaid) return
    const { amount, currency } = latestInvoice
    await database.transaction(async (tx) => {
      const row = await findMember(tx, memberId)
      if (row === null) return
      const price = (await readPrices(tx, app.id)).get(priceId)
      const planName = planNameOf(app, price?.planId ?? '')
      const notice = { kind: 'double-payment-refunded', planName, amount, currency } as const
      await notices.write(tx, app, row.email, notice, { cause: `double payment ${id}` })
    })
  }

  async function follow(
    tx: Db,
    app: MembershipApp,
    row: MemberRow,
    customer: CustomerRow & { reading: number },
    subscriptions: Subscription[],
  ): Promise<ReadingChange[]> {
    const prices = await readPrices(tx, app.id)
    const stored = await listPaidConnections(tx, [row.id])
    const { disputedAt } = customer
    const wanted = connectionsOf({ subscriptions, prices, disputedAt, now: clock.now(), graceMs })
    const { removed, written } = compareConnections(stored, wanted)
    if (removed.length === 0 && written.length === 0) return []

    await removeConnections(
      tx,
      removed.map(({ id }) => id),
    )
    await releaseSubscriptions(
      tx,
      written.flatMap(({ before }) => (before === null ? [] : [before.id])),
    )
    for (const { before, after } of written) await write(tx, row, before, after, prices)
    const told = noticesOf(
      { stored, wanted, subscriptions },
      { ...namesOf(app), graceMs, reading: customer.reading },
    )
    for (const { notice, cause } of told) await notices.write(tx, app, row.email, notice, { cause })
    await staleness.mark(tx, { at: [cacheKeys.member(row.id)] })
    return [
      ...removed.map((before) => ({
        memberId: row.id,
        planId: before.planId,
        before: before.status,
        after: 'none',
      })),
      ...written.map(({ before, after }) => ({
        memberId: row.id,
        planId: after.planId,
        before: before?.status ?? 'none',
        after: after.status,
      })),
    ]
  }

  async function write(
    tx: Db,
    row: MemberRow,
    before: StoredConnection | null,
    after: ConnectionState,
    prices: ReadonlyMap<string, PriceRow>,
  ): Promise<void> {
    if (before !== null) return await updatePaidConnection(tx, before.id, after)
    const sold = [...prices.values()].find(({ priceId }) => priceId === after.priceId)
    await createPaidConnection(tx, {
      ...after,
      id: ids.public('con'),
      memberId: row.id,
      type: sold?.interval === null ? 'onetime' : 'subscription',
      createdAt: clock.now(),
    })
  }

  return {
    want,
    read,
    async readDisputes(customerId) {
      const customer = await findCustomer(database.db, customerId)
      if (customer === null) return []
      const disputedAt = await gateway.findDisputed(customerId)
      if (disputedAt?.getTime() !== customer.disputedAt?.getTime()) {
        await database.transaction(async (tx) => {
          await setDisputed(tx, customerId, disputedAt)
          // Wanted before it is made: should it fail, whoever looks next makes it.
          await wantReadings(tx, [customerId], clock.now())
        })
      } else if (customer.wanted <= customer.done) return []
      return await read(customerId)
    },
  }
}

function namesOf(app: MembershipApp) {
  return {
    planName: (planId: string) => planNameOf(app, planId),
    priceOf(priceId: string) {
      const plan = app.plans.find(({ prices }) => prices.some(({ id }) => id === priceId))
      const price = plan?.prices.find(({ id }) => id === priceId)
      if (plan === undefined || price === undefined) return null
      const { amount, currency, interval } = price
      return { planName: plan.name, amount: minorUnits(amount, currency), currency, interval }
    },
  }
}

function planNameOf(app: MembershipApp, planId: string): string {
  return app.plansById.get(planId)?.name ?? app.name
}
