import { countHolders, fail as failPlan } from '#features/plans/index.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { fail } from '../billing.errors.ts'
import { findPrice, isUpToDate, keptActiveMs } from './catalog.ts'
import { findPortalConfiguration, listSoldPrices, type PriceRow } from './prices.repository.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'clock' | 'logger'>

export type Offers = ReturnType<typeof createOffers>

export function createOffers({ database, gateway, clock, logger }: Deps) {
  /** Returns the id of an app's portal configuration. Throws `payments-not-set-up`. */
  async function portalConfigurationOf(app: MembershipApp): Promise<string> {
    const configurationId = await findPortalConfiguration(database.db, app.id)
    if (configurationId === null) throw fail('payments-not-set-up')
    return configurationId
  }

  return {
    portalConfigurationOf,
    /** Returns Stripe's price of an offer. Throws `price-no-longer-available` and `plan-restricted-to-admin`. */
    async findSold(app: MembershipApp, priceId: string): Promise<PriceRow> {
      if (!gateway.isSetUp) throw fail('payments-not-set-up')
      const offer = findPrice(app, priceId)
      if (offer?.plan.restrictToAdmin) throw failPlan('plan-restricted-to-admin')
      // A one-time payment has no subscription to sync, so it can't be bought.
      if (offer === null || offer.price.type !== 'SUBSCRIPTION') throw fail('price-no-longer-available')
      // This process may not have read a new configuration yet: it sells what it shows.
      const since = clock.now().getTime() - keptActiveMs
      const sold = (await listSoldPrices(database.db, app.id, priceId)).find(
        (row) => isUpToDate(offer.price, row) && (row.current || (row.replacedAt?.getTime() ?? 0) > since),
      )
      if (sold !== undefined) return sold
      logger.error({ appId: app.id, priceId }, 'price missing at Stripe: run `tidings payments sync`')
      // Throws before the first `tidings payments sync`.
      await portalConfigurationOf(app)
      throw fail('price-no-longer-available')
    },
    /** Throws `plan-member-limit-reached`. */
    async refuseWhenFull(app: MembershipApp, planId: string): Promise<void> {
      const limit = app.plansById.get(planId)?.memberLimit ?? null
      if (limit === null) return
      const holders = await database.transaction((tx) => countHolders(tx, app.id, planId))
      if (holders >= limit) throw failPlan('plan-member-limit-reached')
    },
  }
}

/** Throws `plan-change-not-possible` for another currency, which a subscription can't change to. */
export function refuseOtherCurrency({ price }: Subscription, { currency }: PriceRow): void {
  if (currency !== price.currency) throw fail('plan-change-not-possible', price.currency, currency)
}
