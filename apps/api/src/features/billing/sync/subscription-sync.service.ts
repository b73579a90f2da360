import type { EmailService } from '#features/mail/index.ts'
import { lockMember, type MemberRow } from '#features/members/index.ts'
import type { PaymentGateway, Subscription } from '#integrations/payments/payment-gateway.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/database.ts'
import type { Ids } from '#platform/ids.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { Logger } from '#platform/logger.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { syncCustomer } from '../billing.jobs.ts'
import { findCustomer } from '../customers/customers.repository.ts'
import { planNameOf } from '../prices/plan-name.ts'
import { readOwnSales, readPrices } from '../prices/prices.repository.ts'
import type { RefundService } from '../refunds/refunds.service.ts'
import { billingEmailsFor } from './billing-emails.ts'
import { createCancellations, type SyncedCustomer } from './cancellations.service.ts'
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
  isRunning,
  vanishedOf,
} from './plan-connections.ts'
import { previewRenewals, type Renewals } from './renewals.ts'
import { createSyncRequests, type RequestSyncs } from './sync-requests.ts'
import { beginSync, completeSync } from './sync-state.repository.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  jobs: Jobs
  apps: MembershipApps
  emails: EmailService
  refunds: RefundService
  invalidation: Invalidation
  clock: Clock
  ids: Ids
  logger: Logger
  graceMs: number
}

/** One plan of a member that was not as the payment service has it, and is now. */
export type SyncChange = { memberId: string; planId: string; before: string; after: string }

export type SubscriptionSync = {
  request: RequestSyncs
  /**
   * Reads what a customer has subscribed to and makes the member's plans follow; answers what it changed. May run
   * twice and at once: the truth that was read last stays. Rejects when the payment service cannot be reached.
   */
  sync(customerId: string): Promise<SyncChange[]>
  /**
   * Cancels the subscription that a disputed payment was for, and reads its customer; returns what that changed. Leaves
   * alone what the member subscribed to since. May run twice.
   */
  cancelDisputed(disputeId: string): Promise<SyncChange[]>
}

/** The payment service is the truth about what is paid; what is stored here follows it. */
export function createSubscriptionSync(deps: Deps): SubscriptionSync {
  const { database, gateway, jobs, apps, emails, invalidation, clock, ids, logger, graceMs } = deps
  const endings = createCancellations(deps)
  const request = createSyncRequests(deps)

  async function sync(customerId: string): Promise<SyncChange[]> {
    const customer = await beginSync(database.db, customerId)
    if (customer === null) return []
    const own = await readOwnSales(database.db, [customer.appId])
    const listed = await gateway.listSubscriptions(customerId, own)
    const app = (await apps.directory()).byId.get(customer.appId)
    const settled = await endings.settleEnded(customer, listed)
    const subscriptions = await endings.cancelExcess(customer, listed)
    if (subscriptions === null) {
      await database.transaction((tx) => request(tx, [customerId]))
      return []
    }
    const renewals = await previewRenewals(gateway, subscriptions)
    const changes = await store({ ...customer, settled }, app, subscriptions, renewals)
    await readAgainIfWanted(customerId)
    return changes
  }

  /** Stores what was read, unless something newer is stored. */
  async function store(
    customer: SyncedCustomer,
    app: MembershipApp | undefined,
    subscriptions: readonly Subscription[],
    renewals: Renewals,
  ): Promise<SyncChange[]> {
    const { id, memberId, reading, wanted, settled } = customer
    const isPaying = subscriptions.some(isRunning)
    return await database.transaction(async (tx) => {
      const row = memberId === null ? null : await lockMember(tx, memberId)
      if (!(await completeSync(tx, { id, reading, wanted, settled, isPaying }, clock.now()))) return []
      // Who left in this moment is read as somebody who has left: what was kept here has to end.
      if (row === null && memberId !== null) await request(tx, [id])
      if (row === null || app === undefined) return []
      return await follow(tx, app, row, customer, { subscriptions, renewals })
    })
  }

  /** What was asked for while the payment service was read may not be in what it answered. */
  async function readAgainIfWanted(customerId: string): Promise<void> {
    const customer = await findCustomer(database.db, customerId)
    if (customer === null || customer.wanted <= customer.done) return
    await jobs.enqueue(database.db, syncCustomer, { customerId })
  }

  async function follow(
    tx: Db,
    app: MembershipApp,
    row: MemberRow,
    { reading }: SyncedCustomer,
    { subscriptions, renewals }: { subscriptions: readonly Subscription[]; renewals: Renewals },
  ): Promise<SyncChange[]> {
    const prices = await readPrices(tx, app.id)
    const stored = await listPaidConnections(tx, [row.id])
    const now = clock.now()
    const paid = connectionsOf({ subscriptions, prices, now, graceMs })
    const wanted = [...paid, ...vanishedOf(stored, subscriptions, paid, now)]
    const changes = compareConnections(stored, wanted)
    if (changes.removed.length === 0 && changes.written.length === 0) return []

    await write(tx, row, changes)
    const planName = (planId: string) => planNameOf(app, planId)
    const told = billingEmailsFor(
      { stored, wanted, subscriptions },
      { planName, prices, renewals, graceMs, reading },
    )
    for (const { notice, cause } of told) await emails.enqueue(tx, app, row.email, notice, { cause })
    await invalidation.invalidate(tx, { at: [cacheKeys.member(row.id)] })
    return syncChangesOf(row.id, changes)
  }

  async function write(
    tx: Db,
    { id: memberId }: MemberRow,
    { removed, written }: ConnectionChanges,
  ): Promise<void> {
    await removeConnections(
      tx,
      removed.map(({ id }) => id),
    )
    await releaseSubscriptions(
      tx,
      written.flatMap(({ before }) => (before === null ? [] : [before.id])),
    )
    for (const { before, after } of written) {
      if (before !== null) await updatePaidConnection(tx, before.id, after)
      else
        await createPaidConnection(tx, { ...after, id: ids.public('con'), memberId, createdAt: clock.now() })
    }
  }

  return {
    request,
    sync,
    async cancelDisputed(disputeId) {
      const disputed = await gateway.findDisputed(disputeId)
      const customer = disputed && (await findCustomer(database.db, disputed.customerId))
      if (customer === null) return []
      const invoice = disputed && (await gateway.findPaidInvoice(disputed.paymentId))
      const own = await readOwnSales(database.db, [customer.appId])
      const subscriptions = await gateway.listSubscriptions(customer.id, own)
      const subscription = subscriptions.find(({ id }) => id === invoice?.subscriptionId)
      if (subscription === undefined) return []
      if (subscription.isShared) {
        // Its other items are the merchant's to decide about.
        logger.error({ subscriptionId: subscription.id, disputeId }, 'disputed subscription has other items')
      } else if (isRunning(subscription)) {
        await gateway.cancelSubscription(subscription.id, 'payment_disputed')
        logger.warn({ subscriptionId: subscription.id, disputeId }, 'disputed subscription canceled')
      }
      return await sync(customer.id)
    },
  }
}

function syncChangesOf(memberId: string, { removed, written }: ConnectionChanges): SyncChange[] {
  return [
    ...removed.map(({ planId, status }) => ({ memberId, planId, before: status, after: 'none' })),
    ...written.map(({ before, after }) => ({
      ...{ memberId, planId: after.planId },
      ...{ before: before?.status ?? 'none', after: after.status },
    })),
  ]
}
