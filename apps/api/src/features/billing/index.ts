/**
 * What members pay: checkout, billing portal, plan changes, and what the payment service tells.
 *
 * Payment customer: a member as the payment service knows them. Reading: looking at what a customer has subscribed to
 * and making the plan connections follow. Grace: the time for which a plan stays open whose payment fails.
 */
export { findPaymentAccount } from './account.repository.ts'
export { handleBillingJobs } from './billing.handlers.ts'
export { registerBillingRoutes } from './billing.routes.ts'
export { createCheckoutService } from './checkout/checkout.service.ts'
export { createSyncAfterCheckout } from './checkout/checkout-return.ts'
export { createCustomerAdoption } from './customers/adoption.ts'
export { createCancelOnDeletion } from './customers/cancel-on-deletion.ts'
export { createPaymentCustomers } from './customers/customers.service.ts'
export { createEmailSync } from './customers/email-sync.ts'
export { createPlanChangeService } from './plan-changes/plan-change.service.ts'
export { createCatalogueSync } from './prices/catalogue-sync.ts'
export { createOffers } from './prices/offers.ts'
export { createRefundService } from './refunds/refunds.service.ts'
export { BulkCloseError, createReconcileService } from './sync/reconcile.service.ts'
export { createSubscriptionSync } from './sync/subscription-sync.service.ts'
export { registerWebhookRoutes } from './webhooks/webhooks.routes.ts'
export { createWebhookService } from './webhooks/webhooks.service.ts'
