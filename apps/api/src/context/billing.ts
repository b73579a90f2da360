import {
  createAccountCheck,
  createCatalogChange,
  createCatalogSync,
  createCheckoutService,
  createCustomerAdoption,
  createOffers,
  createPaymentCustomers,
  createPlanChangeService,
  createReconcileService,
  createRenewalNotices,
  createSubscriptionSync,
  createWebhookService,
} from '../features/billing/index.ts'
import type { Adapters } from './adapters.ts'
import type { Caches } from './caches.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

const dayMs = 24 * 3600 * 1000

/** Creates billing, in sync with Stripe. */
export function createBilling(deps: Infrastructure & Caches & Adapters & Membership) {
  const { config } = deps
  const shared = {
    ...deps,
    siteUrl: config.site.url,
    graceMs: config.payments.graceDays * dayMs,
  }
  const subscriptionSync = createSubscriptionSync(shared)
  const adopt = createCustomerAdoption(shared)
  const reconciliation = createReconcileService({ ...shared, subscriptionSync, adopt })
  const webhooks = createWebhookService({ ...shared, subscriptionSync })

  // Requests use a gateway that fails sooner.
  const forRequests = { ...shared, gateway: deps.interactiveGateway, subscriptionSync }
  const offers = createOffers(forRequests)
  const customers = createPaymentCustomers(forRequests)
  return {
    subscriptionSync,
    checkout: createCheckoutService({ ...forRequests, offers, customers }),
    reconciliation,
    renewalNotices: createRenewalNotices(shared),
    planChanges: createPlanChangeService({ ...forRequests, offers }),
    webhooks,
    syncCatalog: createCatalogSync(shared),
    catalogChange: createCatalogChange(shared),
    accountCheck: createAccountCheck(shared),
  }
}
