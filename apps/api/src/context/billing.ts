import {
  createCatalogueSync,
  createCheckoutService,
  createCustomerAdoption,
  createOffers,
  createPaymentCustomers,
  createPlanChangeService,
  createReconcileService,
  createSubscriptionSync,
  createWebhookService,
  handleBillingJobs,
} from '../features/billing/index.ts'
import type { Adapters } from './adapters.ts'
import type { Caches } from './caches.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

const dayMs = 24 * 3600 * 1000

/** Creates billing, in sync with Stripe. */
export function createBilling(deps: Infrastructure & Caches & Adapters & Membership) {
  const { config, jobs, gateway, emailSync } = deps
  const paying = {
    ...deps,
    apps: deps.membershipApps,
    siteUrl: config.site.url,
    graceMs: config.payments.graceDays * dayMs,
  }

  const subscriptionSync = createSubscriptionSync(paying)
  const waitedFor = {
    ...paying,
    gateway: deps.interactiveGateway,
    subscriptionSync,
    offers: createOffers(paying),
  }
  const customers = createPaymentCustomers(waitedFor)
  const reconciliation = createReconcileService({
    ...paying,
    subscriptionSync,
    adopt: createCustomerAdoption(paying),
  })
  const webhooks = createWebhookService({ ...paying, subscriptionSync })

  handleBillingJobs(jobs, {
    gateway,
    subscriptionSync,
    refunds: deps.refunds,
    reconciliation,
    webhooks,
    emailSync,
  })

  return {
    subscriptionSync,
    checkout: createCheckoutService({ ...waitedFor, customers }),
    reconciliation,
    planChanges: createPlanChangeService(waitedFor),
    webhooks,
    syncCatalogue: createCatalogueSync(paying),
  }
}
