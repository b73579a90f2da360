import { lockMember } from '#features/members/index.ts'
import { PaymentsKeyRefusedError, PaymentsUnavailableError } from '#integrations/payments/gateway-errors.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import { isDatabaseUnavailable } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { planNameOf, wireIntervalOf } from '../prices/catalog.ts'
import { findPriceOf, readOwnSales, readPrices } from '../prices/prices.repository.ts'
import { isInGoodStanding } from '../sync/plan-connections.ts'
import { noticeOf, type UpcomingRenewal } from './renewal-notice.ts'
import {
  type Cursor,
  type DueRenewal,
  listDueRenewals,
  lockNotice,
  markChecked,
  storeNotice,
} from './renewal-notices.repository.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'apps' | 'emails' | 'clock' | 'logger'>

const perPage = 200

/** Tells members about yearly renewals and changed prices before they are charged (ADR 0071). */
export function createRenewalNotices(deps: Deps) {
  const { database, gateway, apps, emails, clock, logger } = deps

  /** Reads a renewal at Stripe, which may know more than the database; null if nothing will be charged. */
  async function preview(due: DueRenewal, app: MembershipApp): Promise<UpcomingRenewal | null> {
    const own = await readOwnSales(database.db, [app.id])
    const subscriptions = await gateway.listSubscriptions(due.customerId, own)
    const subscription = subscriptions.find(({ id }) => id === due.subscriptionId)
    if (subscription === undefined || !willCharge(subscription)) return null
    const prices = await readPrices(database.db, app.id)
    const planId = findPriceOf(subscription, prices)?.planId
    if (planId === undefined) return null
    const nextPriceId = subscription.schedule?.nextPriceId ?? subscription.priceId
    const next = nextPriceId === subscription.priceId ? undefined : prices.get(nextPriceId)
    const { amount, currency } = await gateway.previewRenewal(subscription)
    const paid = await gateway.findPeriodCharge(subscription)
    return {
      amount,
      currency,
      renewsAt: subscription.periodEndsAt,
      planName: planNameOf(app, planId),
      interval: wireIntervalOf(subscription.price.interval),
      next: next ? { planName: planNameOf(app, next.planId), interval: wireIntervalOf(next.interval) } : null,
      paidAmount: paid?.amount ?? null,
    }
  }

  /** Stores that a renewal was checked, with its notice if one is due. Returns whether it is. */
  async function store(
    due: DueRenewal,
    app: MembershipApp,
    renewal: UpcomingRenewal | null,
  ): Promise<boolean> {
    const { subscriptionId, memberId } = due
    const now = clock.now()
    return await database.transaction(async (tx) => {
      // Locks the member first, as syncs and removals do.
      if ((await lockMember(tx, memberId)) === null) return false
      const told = await lockNotice(tx, due, now)
      await markChecked(tx, subscriptionId, now)
      const email = renewal === null ? null : noticeOf(renewal, told, now)
      if (renewal === null || email === null) return false
      const { renewsAt, amount, currency } = renewal
      const number = await storeNotice(tx, { subscriptionId, renewsAt, amount, currency })
      await emails.enqueueToProved(tx, app, memberId, email, { cause: `${subscriptionId} ${number}` })
      return true
    })
  }

  /** Returns whether a notice was sent. One subscription that fails must not block the others. */
  async function checkOne(due: DueRenewal, app: MembershipApp): Promise<boolean> {
    try {
      return await store(due, app, await preview(due, app))
    } catch (error) {
      if (isForAll(error)) throw error
      logger.warn({ err: error, subscriptionId: due.subscriptionId }, 'renewal preview failed')
      return false
    }
  }

  return {
    /** Sends the notices that are due, each once. May run twice, concurrently and after a crash. */
    async send(): Promise<void> {
      if (!gateway.isSetUp) return
      const { byId } = await apps.directory()
      let [checked, sent] = [0, 0]
      for (let after: Cursor | null = null; ; ) {
        const page: DueRenewal[] = await listDueRenewals(database.db, {
          now: clock.now(),
          after,
          limit: perPage,
        })
        for (const due of page) {
          const app = byId.get(due.appId)
          if (app !== undefined && (await checkOne(due, app))) sent += 1
        }
        checked += page.length
        after = page.at(-1) ?? null
        if (page.length < perPage) break
      }
      logger.info({ checked, sent }, 'renewal notices completed')
    },
  }
}

function willCharge(subscription: Subscription): boolean {
  const { endsAt, isCollectionPaused } = subscription
  return isInGoodStanding(subscription) && endsAt === null && !isCollectionPaused
}

/** Returns whether every other renewal would fail too, so that the job has to be repeated. */
function isForAll(error: unknown): boolean {
  const isStripe = error instanceof PaymentsUnavailableError || error instanceof PaymentsKeyRefusedError
  return isStripe || isDatabaseUnavailable(error)
}
