import type { CatalogPrice, OnProgress } from '#integrations/payments/payment-gateway.ts'
import type { Db } from '#platform/database.ts'
import type { PlanDefinition } from '#platform/membership-apps/app-config.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { findPaymentAccount } from '../billing.repository.ts'
import { catalogPrices, rowsOf } from './catalog.ts'
import {
  findSetup,
  listSoldSince,
  markSetupPending,
  type PriceRow,
  storePrices,
} from './prices.repository.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'clock'>

/** The part of an app's configuration that Stripe has, too. */
type Catalog = { id: string; name: string; plans: readonly PlanDefinition[] }

/** Changes what is sold together with what the site shows. See ADR 0070. */
export function createCatalogChange({ database, gateway, clock }: Deps) {
  return {
    /** Returns whether payments were set up, by a first `tidings payments sync`. */
    async isSetUp(): Promise<boolean> {
      return gateway.isSetUp && (await findPaymentAccount(database.db)) !== null
    },
    /** Returns whether Stripe has an app's configured prices, so that nothing of an interrupted change is left to do. */
    async isComplete(app: Catalog): Promise<boolean> {
      const rows = await listSoldSince(database.db, app.id, new Date(0))
      const setup = await findSetup(database.db, app.id)
      const prices = catalogPrices(app)
      const isSold = prices.every((wanted) =>
        rows.some((row) => row.current && row.priceId === wanted.priceId && isSameAmount(row, wanted)),
      )
      return isSold && (setup === null ? prices.length === 0 : !setup.isPending)
    },
    /**
     * Creates new prices at Stripe, then saves the configuration and them in one transaction, so that the site shows and
     * sells the former prices until the commit and the new ones from then on. Idempotent. Former prices stay active until
     * `syncCatalog` archives them.
     */
    async save(app: Catalog, save: (tx: Db) => Promise<void>, onProgress: OnProgress): Promise<void> {
      const prices = catalogPrices(app)
      const sold = prices.length === 0 ? [] : await gateway.prepareCatalog(app, prices, onProgress)
      await database.transaction(async (tx) => {
        await save(tx)
        await storePrices(tx, app.id, rowsOf(app.id, sold), clock.now())
        await markSetupPending(tx, app.id)
      })
    },
  }
}

function isSameAmount(row: PriceRow, { amount, currency, interval }: CatalogPrice): boolean {
  return row.amount === amount && row.currency === currency && row.interval === interval
}
