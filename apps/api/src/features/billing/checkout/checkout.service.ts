import { fail as failMember, findMember, type MemberRow, memberCacheKey } from '#features/members/index.ts'
import { fail as failPlan } from '#features/plans/index.ts'
import { AlreadyPaidError } from '#integrations/payments/gateway-errors.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { majorUnits } from '#platform/money.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { fail } from '../billing.errors.ts'
import { recordCheckout } from '../customers/customers.repository.ts'
import type { PaymentCustomers } from '../customers/customers.service.ts'
import { asPaymentErrors } from '../payment-errors.ts'
import { type Offers, refuseOtherCurrency } from '../prices/offers.ts'
import { findPriceOf, type PriceRow, readOwnSales, readPrices } from '../prices/prices.repository.ts'
import { chooseRunning, isInGoodStanding } from '../sync/plan-connections.ts'
import type { SubscriptionSync } from '../sync/subscription-sync.service.ts'
import { changePlanUrl, chooseReturnUrl, type RequestedUrl } from './return-urls.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'invalidation' | 'clock' | 'logger' | 'siteUrl'> & {
  customers: PaymentCustomers
  offers: Offers
  subscriptionSync: Pick<SubscriptionSync, 'request'>
}

type Order = {
  priceId: string
  /** The price that the page shows, in major units; null if it doesn't say. */
  shown: { amount: number; currency: string } | null
  /** A promotion code or the id of a public coupon. */
  coupon: string | null
  successUrls: readonly RequestedUrl[]
  cancelUrls: readonly RequestedUrl[]
}

const checkoutMs = 24 * 3_600_000

export type CheckoutService = ReturnType<typeof createCheckoutService>

export function createCheckoutService(deps: Deps) {
  const { database, gateway, customers, offers, subscriptionSync, invalidation, clock, logger, siteUrl } =
    deps

  async function getMember(memberId: string): Promise<MemberRow> {
    const row = await findMember(database.db, memberId)
    if (row === null) throw failMember('member-not-found')
    return row
  }

  /** Requests a sync even if Stripe's event never arrives. */
  async function requestSync(customerId: string): Promise<void> {
    await database.transaction((tx) => subscriptionSync.request(tx, [customerId]))
  }

  async function storeCheckout(customerId: string, memberId: string): Promise<number> {
    const until = new Date(clock.now().getTime() + checkoutMs)
    return await database.transaction(async (tx) => {
      // A cached record would hide the member's return from the checkout.
      await invalidation.invalidate(tx, { at: [memberCacheKey(memberId)] })
      return await recordCheckout(tx, customerId, until)
    })
  }

  return {
    /**
     * Opens a checkout. Subscribers get the change-plan screen's URL, or the portal to resume or pay the same price. Throws
     * `already-have-plan`, `price-changed` and `plan-change-not-possible`.
     */
    async start(
      app: MembershipApp,
      memberId: string,
      { priceId, shown, coupon, ...urls }: Order,
    ): Promise<{ url: string }> {
      const allowed = { origins: app.origins, siteUrl }
      const successUrl = chooseReturnUrl(urls.successUrls, allowed)
      const cancelUrl = chooseReturnUrl(urls.cancelUrls, allowed)
      const sold = await offers.findSold(app, priceId)
      if (shown !== null && !isShown(sold, shown)) throw fail('price-changed')
      const member = await getMember(memberId)
      const open = async () => {
        const customerId = await customers.ensure(member)
        // Stripe's list includes payments that aren't synced yet.
        const own = await readOwnSales(database.db, [app.id])
        const known = await gateway.listSubscriptions(customerId, own)
        const running = chooseRunning(known)
        if (running !== null) {
          const held = findPriceOf(running, await readPrices(database.db, app.id))
          const isStored = member.planConnections.some((one) => one.active && one.priceId === held?.priceId)
          if (!isStored) await requestSync(customerId)
          const isSame = held?.priceId === sold.priceId && running.schedule?.nextPriceId == null
          if (isSame && renews(running)) throw failPlan('already-have-plan')
          refuseOtherCurrency(running, sold)
          if (held?.planId !== sold.planId) await offers.refuseWhenFull(app, sold.planId)
          if (!isSame) return { url: changePlanUrl(siteUrl, sold.priceId) }
          const configurationId = await offers.portalConfigurationOf(app)
          return await gateway.openPortal({ customerId, configurationId, returnUrl: cancelUrl })
        }
        await offers.refuseWhenFull(app, sold.planId)
        const number = await storeCheckout(customerId, memberId)
        const order = { customerId, memberId, appId: app.id, priceId: sold.id, successUrl, cancelUrl }
        try {
          return await gateway.startCheckout({ ...order, coupon, number, known, own })
        } catch (error) {
          if (!(error instanceof AlreadyPaidError)) throw error
          await requestSync(customerId)
          throw failPlan('already-have-plan')
        }
      }
      return await asPaymentErrors(logger, open())
    },
    /** Opens the billing portal, or the change-plan screen for a price. Uses the first URL that is given. */
    async openPortal(
      app: MembershipApp,
      memberId: string,
      { returnUrls, priceId }: { returnUrls: readonly RequestedUrl[]; priceId: string | null },
    ): Promise<{ url: string }> {
      if (!gateway.isSetUp) throw fail('payments-not-set-up')
      const returnUrl = chooseReturnUrl(returnUrls, { origins: app.origins, siteUrl })
      const { stripeCustomerId: customerId } = await getMember(memberId)
      if (customerId === null) throw fail('no-billing-account')
      if (priceId !== null) return { url: changePlanUrl(siteUrl, priceId) }
      const configurationId = await offers.portalConfigurationOf(app)
      return await asPaymentErrors(logger, gateway.openPortal({ customerId, configurationId, returnUrl }))
    },
  }
}

function isShown({ amount, currency }: PriceRow, shown: NonNullable<Order['shown']>): boolean {
  return majorUnits(amount, currency) === shown.amount && currency === shown.currency.toLowerCase()
}

/** Returns whether a subscription is paid for and renews. Others can be resumed or paid in the portal. */
function renews(subscription: Subscription): boolean {
  return isInGoodStanding(subscription) && subscription.endsAt === null
}
