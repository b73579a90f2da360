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
import type { Ground } from './ground.ts'
import type { Membership } from './membership.ts'
import type { Memory } from './memory.ts'

const dayMs = 24 * 3600 * 1000

/** What members pay, in step with the payment service. */
export function createPayments(on: Ground & Memory & Adapters & Membership) {
  const { config, jobs, gateway, paymentAddresses: addresses } = on
  const paying = {
    ...on,
    apps: on.membershipApps,
    siteUrl: config.site.url,
    graceMs: config.payments.graceDays * dayMs,
  }

  const readings = createReadingService(paying)
  const waitedFor = { ...paying, gateway: on.promptGateway, readings, offers: createOffers(paying) }
  const customers = createPaymentCustomers(waitedFor)
  const reconciling = createReconcileService({ ...paying, readings, adopt: createAdopt(paying) })
  const webhooks = createWebhookService({ ...paying, readings })

  handleBillingJobs(jobs, { gateway, readings, refunds: on.refunds, reconciling, webhooks, addresses })

  return {
    readings,
    checkout: createCheckoutService({ ...waitedFor, customers }),
    reconciling,
    planChanges: createPlanChangeService(waitedFor),
    webhooks,
    syncCatalogue: createCatalogueSync(paying),
  }
}
