import { countHolders, fail as failPlan } from '#features/plans/index.ts'
import type { PaymentGateway, Subscription } from '#integrations/payments/payment-gateway.ts'
import type { Database } from '#platform/database.ts'
import type { Logger } from '#platform/logger.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { OtherCurrencyError, PaymentsNotSetUpError, PriceNoLongerAvailableError } from '../billing.errors.ts'
import { findPrice, isUpToDate } from './catalogue.ts'
import { findCurrentPrice, findPortalConfiguration, type PriceRow } from './prices.repository.ts'

type Deps = { database: Database; gateway: PaymentGateway; logger: Logger }

export type Offers = {
  /**
   * The sold price of an offered one, as everybody who sells looks it up. Throws `price-no-longer-available`, and
   * `plan-restricted-to-admin` for a plan that only the site gives.
   */
  findSold(app: MembershipApp, priceId: string): Promise<PriceRow>
  /** Throws `plan-member-limit-reached` when as many members as may hold the plan do. */
  refuseWhenFull(app: MembershipApp, planId: string): Promise<void>
  /** What the billing portal offers to an app's members. Throws `payments-not-set-up`. */
  portalConfigurationOf(app: MembershipApp): Promise<string>
}

/** What can be bought, and by whom. */
export function createOffers({ database, gateway, logger }: Deps): Offers {
  async function portalConfigurationOf(app: MembershipApp): Promise<string> {
    const configurationId = await findPortalConfiguration(database.db, app.id)
    if (configurationId === null) throw new PaymentsNotSetUpError()
    return configurationId
  }

  return {
    portalConfigurationOf,
    async findSold(app, priceId) {
      if (!gateway.isSetUp) throw new PaymentsNotSetUpError()
      const offer = findPrice(app, priceId)
      if (offer?.plan.restrictToAdmin) throw failPlan('plan-restricted-to-admin')
      // What is paid once has no subscription to follow, so nobody is let pay for it.
      if (offer === null || offer.price.type !== 'SUBSCRIPTION') throw new PriceNoLongerAvailableError()
      const sold = await findCurrentPrice(database.db, app.id, priceId)
      if (sold !== null && isUpToDate(offer.price, sold)) return sold
      logger.error({ appId: app.id, priceId }, 'a price is configured and not sold: run `payments sync`')
      // Throws when nothing was ever brought there.
      await portalConfigurationOf(app)
      throw new PriceNoLongerAvailableError()
    },
    async refuseWhenFull(app, planId) {
      const limit = app.plansById.get(planId)?.memberLimit ?? null
      if (limit === null) return
      const holders = await database.transaction((tx) => countHolders(tx, app.id, planId))
      if (holders >= limit) throw failPlan('plan-member-limit-reached')
    },
  }
}

/** Throws `plan-change-not-possible` when a subscription is paid in another currency: it keeps the one it began with. */
export function refuseOtherCurrency({ price }: Subscription, { currency }: PriceRow): void {
  if (currency !== price.currency) throw new OtherCurrencyError(price.currency, currency)
}
