import {
  createAdopt,
  createCatalogueSync,
  createCheckoutService,
  createOffers,
  createPaymentCustomers,
  createPlanChangeService,
  createReadingService,
  createReconcileService,
  createWebhookService,
  handleBillingJobs,
} from '../features/billing/index.ts'
import type { Adapters } from './adapters.ts'
import type { Caches } from './caches.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

const dayMs = 24 * 3600 * 1000

/** What members pay, in step with the payment service. */
export function createBilling(deps: Infrastructure & Caches & Adapters & Membership) {
  const { config, jobs, gateway, paymentAddresses: addresses } = deps
  const paying = {
    ...deps,
    apps: deps.membershipApps,
    siteUrl: config.site.url,
    graceMs: config.payments.graceDays * dayMs,
  }

  const readings = createReadingService(paying)
  const waitedFor = { ...paying, gateway: deps.promptGateway, readings, offers: createOffers(paying) }
  const customers = createPaymentCustomers(waitedFor)
  const reconciling = createReconcileService({ ...paying, readings, adopt: createAdopt(paying) })
  const webhooks = createWebhookService({ ...paying, readings })

  handleBillingJobs(jobs, { gateway, readings, refunds: deps.refunds, reconciling, webhooks, addresses })

  return {
    readings,
    checkout: createCheckoutService({ ...waitedFor, customers }),
    reconciling,
    planChanges: createPlanChangeService(waitedFor),
    webhooks,
    syncCatalogue: createCatalogueSync(paying),
  }
}
