import {
  type OnProgress,
  type PaymentGateway,
  WrongPaymentAccountError,
} from '#integrations/payments/payment-gateway.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { findPaymentAccount, storePaymentAccount } from '../account.repository.ts'
import { cataloguePrices, findOffer } from './catalogue.ts'
import {
  findPortalConfiguration,
  type PriceRow,
  readPrices,
  storePrices,
  storeSetup,
} from './prices.repository.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  apps: MembershipApps
  clock: Clock
  siteUrl: URL
}

/** Brings the configured plans and prices of every app to the payment service. May run again and again. */
export type SyncCatalogue = (onProgress: OnProgress) => Promise<void>

export function createCatalogueSync({ database, gateway, apps, clock, siteUrl }: Deps): SyncCatalogue {
  /** Binds the database to the key's account, once, and only to one that has its prices. */
  async function adoptAccount(appIds: Iterable<string>): Promise<void> {
    if ((await findPaymentAccount(database.db)) !== null) return
    const account = await gateway.findAccount()
    for (const appId of appIds) {
      const [known] = (await readPrices(database.db, appId)).keys()
      if (known === undefined || (await gateway.hasPrice(known))) continue
      throw new WrongPaymentAccountError(
        `Stripe account ${account.id} doesn't have the prices that this database sells, in the mode of STRIPE_SECRET_KEY. ` +
          'Set the key that they were made with, or use another database for this one.',
      )
    }
    await storePaymentAccount(database.db, account, clock.now())
  }

  return async function sync(onProgress) {
    const { byId } = await apps.directory()
    await adoptAccount(byId.keys())
    for (const app of byId.values()) {
      const configured = cataloguePrices(app)
      // What was sold once has to be taken off the shelves.
      const soldNothingYet = configured.length === 0 && (await readPrices(database.db, app.id)).size === 0
      if (soldNothingYet) {
        onProgress(`${app.id}: nothing is sold`)
        continue
      }
      const tell: OnProgress = (line) => onProgress(`${app.id}: ${line}`)
      const named = { id: app.id, name: app.name, siteUrl: siteUrl.origin }
      const sold = await gateway.syncCatalogue(named, configured, tell)
      const rows: PriceRow[] = sold.map(
        ({ id, productId, planId, priceId, amount, currency, interval, isCurrent }) => ({
          ...{ id, productId, planId, priceId, amount, currency, interval },
          appId: app.id,
          current: isCurrent,
        }),
      )
      // Before the portal, whose refusal must not keep anything from being sold.
      await database.transaction((tx) => storePrices(tx, app.id, rows))
      const current = sold.filter(({ isCurrent, interval }) => isCurrent && interval !== null)
      // Nobody is offered in the portal what the site does not offer.
      const offered = current.filter(({ priceId }) => findOffer(app, priceId) !== null)
      const known = await findPortalConfiguration(database.db, app.id)
      const configurationId = await gateway.syncPortal(named, offered, known, tell)
      await database.transaction((tx) => storeSetup(tx, app.id, configurationId, clock.now()))
      onProgress(`${app.id}: ${current.length} prices are sold`)
    }
  }
}
