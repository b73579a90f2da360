import type { AccountInspection, InspectAccount } from '#integrations/payments/account-inspection.ts'
import type { CatalogPrice, PaymentAccount } from '#integrations/payments/payment-gateway.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { findLastEventTime, findPaymentAccount } from '../billing.repository.ts'
import { listOverdueSyncs } from '../customers/customers.repository.ts'
import { catalogPrices } from '../prices/catalog.ts'
import { findSetup, listSoldSince, type StoredPrice, type StoredSetup } from '../prices/prices.repository.ts'
import { listRefundRows } from '../refunds/refunds.repository.ts'

type Deps = Pick<BillingDeps, 'database' | 'apps' | 'clock'> & { inspectAccount: InspectAccount }

/** The plans and prices of an app's configuration, and those that are stored. */
export type CheckedApp = {
  id: string
  configured: CatalogPrice[]
  /** Current prices, and former ones. */
  sold: StoredPrice[]
  setup: StoredSetup | null
}

/** The account at Stripe and the records of this database, which `tidings payments check` compares. */
export type CheckedAccount = {
  inspection: AccountInspection
  /** Null before the first `tidings payments sync`. */
  stored: PaymentAccount | null
  apps: CheckedApp[]
  failedRefunds: number
  manualRefunds: number
  /** Customers whose sync has waited for more than 15 minutes, 1,000 at most. */
  overdueSyncs: number
  /** When an event was last accepted, which proves a webhook secret. */
  lastEventAt: Date | null
  checkedAt: Date
}

const overdueMs = 15 * 60_000
const maxOverdue = 1_000

export function createAccountCheck({ database, inspectAccount, apps, clock }: Deps) {
  async function readApp(app: { id: string } & Parameters<typeof catalogPrices>[0]): Promise<CheckedApp> {
    return {
      id: app.id,
      configured: catalogPrices(app),
      sold: await listSoldSince(database.db, app.id, new Date(0)),
      setup: await findSetup(database.db, app.id),
    }
  }

  return {
    /** Reads the account at Stripe and what the database has of it. Changes nothing. */
    async read(): Promise<CheckedAccount> {
      const { db } = database
      const now = clock.now()
      const { byId } = await apps.directory()
      const checked: CheckedApp[] = []
      for (const app of byId.values()) checked.push(await readApp(app))
      const inspection = await inspectAccount({
        productIds: [...new Set(checked.flatMap(({ sold }) => sold.map(({ productId }) => productId)))],
        portalIds: checked.flatMap(({ setup }) => (setup === null ? [] : [setup.portalConfigurationId])),
      })
      const overdueSince = new Date(now.getTime() - overdueMs)
      return {
        inspection,
        stored: await findPaymentAccount(db),
        apps: checked,
        failedRefunds: (await listRefundRows(db, 'failed')).length,
        manualRefunds: (await listRefundRows(db, 'manual')).length,
        overdueSyncs: (await listOverdueSyncs(db, { now, before: overdueSince }, maxOverdue)).length,
        lastEventAt: await findLastEventTime(db),
        checkedAt: now,
      }
    },
  }
}
