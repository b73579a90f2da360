import { fail as failMember, findMember, type MemberRow } from '#features/members/index.ts'
import { fail as failPlan } from '#features/plans/index.ts'
import {
  AlreadyPaidError,
  type PaymentGateway,
  PaymentsRefusedError,
  type PortalDestination,
  type Subscription,
} from '#integrations/payments/payment-gateway.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { Logger } from '#platform/logger.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { NoBillingAccountError, PaymentsNotSetUpError } from '../billing.errors.ts'
import { recordCheckout } from '../customers/customers.repository.ts'
import type { PaymentCustomers } from '../customers/customers.service.ts'
import { asPaymentErrors } from '../payment-errors.ts'
import { type Offers, refuseOtherCurrency } from '../prices/offers.ts'
import { findPriceOf, type PriceRow, readOwnSales, readPrices } from '../prices/prices.repository.ts'
import { chooseRunning, isInGoodStanding } from '../sync/plan-connections.ts'
import type { SubscriptionSync } from '../sync/subscription-sync.service.ts'
import { chooseReturnUrl, type RequestedUrl } from './return-urls.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  customers: PaymentCustomers
  offers: Offers
  subscriptionSync: Pick<SubscriptionSync, 'request'>
  invalidation: Invalidation
  clock: Clock
  logger: Logger
  siteUrl: URL
}

/** How long the payment service keeps a checkout open. */
const checkoutMs = 24 * 3_600_000

export type CheckoutService = {
  /**
   * Where a member pays for a price: the checkout, or for a subscriber the page that confirms the change. Of the
   * addresses to come back to, the first that is given holds. Throws `already-have-plan`, `plan-change-not-possible`.
   */
  start(
    app: MembershipApp,
    memberId: string,
    order: {
      priceId: string
      /** A promotion code, or the id of a public coupon. */
      coupon: string | null
      successUrls: readonly RequestedUrl[]
      cancelUrls: readonly RequestedUrl[]
    },
  ): Promise<{ url: string }>
  /** Where a member manages what they pay, to come back to the first address that is given. */
  openPortal(
    app: MembershipApp,
    memberId: string,
    visit: { returnUrls: readonly RequestedUrl[] },
  ): Promise<{ url: string }>
}

/** The way to the payment service's own pages. */
export function createCheckoutService(deps: Deps): CheckoutService {
  const { database, gateway, customers, offers, subscriptionSync, invalidation, clock, logger, siteUrl } =
    deps

  async function findRow(memberId: string): Promise<MemberRow> {
    const row = await findMember(database.db, memberId)
    if (row === null) throw failMember('member-not-found')
    return row
  }

  /** What was paid is shown at once, whether or not the payment service's event arrives. */
  async function syncSoon(customerId: string): Promise<void> {
    await database.transaction((tx) => subscriptionSync.request(tx, [customerId]))
  }

  async function noteOpened(customerId: string, memberId: string): Promise<number> {
    const until = new Date(clock.now().getTime() + checkoutMs)
    return await database.transaction(async (tx) => {
      // The cached record gives no sign of the member's return.
      await invalidation.invalidate(tx, { at: [cacheKeys.member(memberId)] })
      return await recordCheckout(tx, customerId, until)
    })
  }

  /** What a subscriber is led to who asks for a price: confirming it, or where all that they pay can be looked at. */
  async function openChange(
    customerId: string,
    page: { configurationId: string; returnUrl: string },
    destination: PortalDestination,
  ): Promise<{ url: string }> {
    try {
      return await gateway.openPortal({ customerId, ...page, destination })
    } catch (error) {
      if (destination.kind === 'overview' || !(error instanceof PaymentsRefusedError)) throw error
      // The portal offers one price of a plan for each interval, and not more than so many plans.
      logger.warn({ err: error }, 'a change could not be offered for confirmation')
      return await gateway.openPortal({ customerId, ...page, destination: { kind: 'overview' } })
    }
  }

  return {
    async start(app, memberId, { priceId, coupon, ...given }) {
      const allowed = { origins: app.origins, siteUrl }
      const successUrl = chooseReturnUrl(given.successUrls, allowed)
      const cancelUrl = chooseReturnUrl(given.cancelUrls, allowed)
      const sold = await offers.findSold(app, priceId)
      const member = await findRow(memberId)
      const work = async () => {
        const customerId = await customers.ensure(member)
        // What is stored may lag behind what was paid a moment ago.
        const own = await readOwnSales(database.db, [app.id])
        const known = await gateway.listSubscriptions(customerId, own)
        const living = chooseRunning(known)
        if (living !== null) {
          const held = findPriceOf(living, await readPrices(database.db, app.id))
          const isStored = member.planConnections.some((one) => one.active && one.priceId === held?.priceId)
          if (!isStored) await syncSoon(customerId)
          // Who owes for it, has cancelled it or has another one waiting is led to where that can be changed.
          if (held?.priceId === sold.priceId && goesOn(living)) throw failPlan('already-have-plan')
          refuseOtherCurrency(living, sold)
          if (held?.planId !== sold.planId) await offers.refuseWhenFull(app, sold.planId)
          const page = { configurationId: await offers.portalConfigurationOf(app), returnUrl: cancelUrl }
          return await openChange(customerId, page, changeOf(living, sold, successUrl))
        }
        await offers.refuseWhenFull(app, sold.planId)
        const number = await noteOpened(customerId, memberId)
        const order = { customerId, memberId, appId: app.id, priceId: sold.id, successUrl, cancelUrl }
        try {
          return await gateway.startCheckout({ ...order, coupon, number, known })
        } catch (error) {
          if (!(error instanceof AlreadyPaidError)) throw error
          await syncSoon(customerId)
          throw failPlan('already-have-plan')
        }
      }
      return await asPaymentErrors(logger, work())
    },
    async openPortal(app, memberId, { returnUrls }) {
      if (!gateway.isSetUp) throw new PaymentsNotSetUpError()
      const returnUrl = chooseReturnUrl(returnUrls, { origins: app.origins, siteUrl })
      const member = await findRow(memberId)
      const customerId = member.stripeCustomerId
      if (customerId === null) throw new NoBillingAccountError()
      const configurationId = await offers.portalConfigurationOf(app)
      return await asPaymentErrors(
        logger,
        gateway.openPortal({ customerId, configurationId, returnUrl, destination: { kind: 'overview' } }),
      )
    },
  }
}

/** Whether it is paid for, does not end, and nothing else is to follow it. */
function goesOn(subscription: Subscription): boolean {
  const { endsAt, schedule } = subscription
  return isInGoodStanding(subscription) && endsAt === null && schedule?.nextPriceId == null
}

/**
 * Confirming the change. What ends, is owed or is to be followed by another one has to be resumed, paid or taken back
 * first, which the portal's first page offers.
 */
function changeOf(subscription: Subscription, sold: PriceRow, doneUrl: string): PortalDestination {
  return goesOn(subscription)
    ? { kind: 'change', subscription, priceId: sold.id, doneUrl }
    : { kind: 'overview' }
}
