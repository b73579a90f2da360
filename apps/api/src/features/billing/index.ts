/**
 * What members pay: checkout, billing portal, plan changes, and what the payment service tells.
 *
 * Payment customer: a member as the payment service knows them. Reading: looking at what a customer has subscribed to
 * and making the plan connections follow. Grace: the time for which a plan stays open whose payment fails.
 */
export { createPaymentAddresses } from './addresses.ts'
export { handleBillingJobs } from './billing.handlers.ts'
export { registerBillingRoutes } from './billing.routes.ts'
export { createCatalogueSync } from './catalogue-sync.ts'
export { createCheckoutService } from './checkout.service.ts'
export { createPaymentCustomers } from './customers.service.ts'
export { createEndPayments } from './departures.ts'
export { createOffers } from './offers.ts'
export { createPlanChangeService } from './plan-change.service.ts'
export { createReadingService } from './readings.service.ts'
export { createReconcileService } from './reconcile.service.ts'
export { registerWebhookRoutes } from './webhooks.routes.ts'
export { createWebhookService } from './webhooks.service.ts'
