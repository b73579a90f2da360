import { WrongPaymentAccountError } from '#integrations/payments/gateway-errors.ts'
import type { CatalogPrice, OnProgress } from '#integrations/payments/payment-gateway.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { findPaymentAccount, storePaymentAccount } from '../billing.repository.ts'
import { catalogPrices, keptActiveMs, rowsOf } from './catalog.ts'
import {
  findPortalConfiguration,
  listSoldSince,
  readPrices,
  storePrices,
  storeSetup,
} from './prices.repository.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'apps' | 'clock' | 'siteUrl'>

export function createCatalogSync({ database, gateway, apps, clock, siteUrl }: Deps) {
  /** Binds the database to the key's account, once, if the account has the database's prices. */
  async function bindAccount(appIds: Iterable<string>): Promise<void> {
    if ((await findPaymentAccount(database.db)) !== null) return
    const account = await gateway.findAccount()
    for (const appId of appIds) {
      const [known] = (await readPrices(database.db, appId)).keys()
      if (known === undefined || (await gateway.hasPrice(known))) continue
      throw new WrongPaymentAccountError(
        `Stripe account ${account.id} doesn't have this database's prices in the mode of STRIPE_SECRET_KEY. ` +
          'Set the key of the account that has them, or use another database.',
      )
    }
    await storePaymentAccount(database.db, account, clock.now())
  }

  /** Returns the prices that stay active although they are replaced, because an open checkout may show them. */
  async function keptPrices(
    appId: string,
    configured: readonly CatalogPrice[],
  ): Promise<ReadonlySet<string>> {
    const after = new Date(clock.now().getTime() - keptActiveMs)
    const configuredIds = new Set(configured.map(({ priceId }) => priceId))
    const sold = await listSoldSince(database.db, appId, after)
    return new Set(sold.filter(({ priceId }) => configuredIds.has(priceId)).map(({ id }) => id))
  }

  /** Creates and updates the products, prices and portals of every app at Stripe. Idempotent. */
  return async function sync(onProgress: OnProgress): Promise<void> {
    const { byId } = await apps.directory()
    await bindAccount(byId.keys())
    for (const app of byId.values()) {
      const configured = catalogPrices(app)
      // An app without configured prices may still have former ones to archive.
      const soldNothingYet = configured.length === 0 && (await readPrices(database.db, app.id)).size === 0
      if (soldNothingYet) {
        onProgress(`${app.id}: no prices`)
        continue
      }
      const onAppProgress: OnProgress = (line) => onProgress(`${app.id}: ${line}`)
      const named = { id: app.id, name: app.name, siteUrl: siteUrl.origin }
      const kept = await keptPrices(app.id, configured)
      const sold = await gateway.syncCatalog(named, configured, onAppProgress, kept)
      // Stored before the portal, whose failure must not block sales.
      await database.transaction((tx) => storePrices(tx, app.id, rowsOf(app.id, sold), clock.now()))
      const current = sold.filter(({ isCurrent }) => isCurrent)
      const known = await findPortalConfiguration(database.db, app.id)
      const configurationId = await gateway.syncPortal(named, known)
      await database.transaction((tx) => storeSetup(tx, app.id, configurationId, clock.now()))
      onProgress(`${app.id}: ${current.length} prices current`)
    }
  }
}
