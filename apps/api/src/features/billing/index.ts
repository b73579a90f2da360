/**
 * Payments: checkout, billing portal, plan changes, refunds and webhooks.
 *
 * Payment customer: a member as Stripe knows them. Sync: re-reads a customer's subscriptions and updates the plan
 * connections. Lease: lets one sync of a customer run at a time, until it ends or the lease expires. Grace period: the
 * days for which a plan stays open after a failed payment.
 */

export {
  type CheckedAccount,
  type CheckedApp,
  createAccountCheck,
} from './account-check/account-check.service.ts'
export {
  billingSweep,
  reconcilePlans,
  restoreSchedule,
  sendRenewalNotices,
  syncCustomer,
  syncDispute,
  syncEmail,
  syncRefund,
} from './billing.jobs.ts'
export { findPaymentAccount } from './billing.repository.ts'
export { registerBillingRoutes } from './billing.routes.ts'
export { countWaitingPayments, exportPayments } from './billing-metrics.ts'
export { createCheckoutService } from './checkout/checkout.service.ts'
export { createSyncAfterCheckout } from './checkout/checkout-return.ts'
export { createCustomerAdoption } from './customers/adoption.ts'
export { createPaymentCustomers } from './customers/customers.service.ts'
export { createEmailSync } from './customers/email-sync.ts'
export { createRenewalNotices } from './notices/renewal-notices.service.ts'
export { createPlanChangeService } from './plan-changes/plan-change.service.ts'
export { createCatalogChange } from './prices/catalog-change.ts'
export { createCatalogSync } from './prices/catalog-sync.ts'
export { createOffers } from './prices/offers.ts'
export { createRefundService } from './refunds/refunds.service.ts'
export {
  type CustomerDeletion,
  type CustomerOutcome,
  createCustomerDeletion,
} from './sync/customer-deletion.ts'
export { BulkCloseError, createReconcileService } from './sync/reconcile.service.ts'
export { createSubscriptionSync } from './sync/subscription-sync.service.ts'
export { neededEvents } from './webhooks/needed-events.ts'
export { registerWebhookRoutes } from './webhooks/webhooks.routes.ts'
export { createWebhookService } from './webhooks/webhooks.service.ts'
