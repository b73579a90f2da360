import type { PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import type { Jobs } from '#platform/jobs.ts'
import {
  billingSweep,
  reconcilePlans,
  syncCustomer,
  syncDispute,
  syncEmail,
  syncRefund,
} from './billing.jobs.ts'
import type { RefundService } from './refunds/refunds.service.ts'
import type { ReconcileService } from './sync/reconcile.service.ts'
import type { SubscriptionSync } from './sync/subscription-sync.service.ts'
import type { WebhookService } from './webhooks/webhooks.service.ts'

type Deps = {
  gateway: PaymentGateway
  subscriptionSync: SubscriptionSync
  refunds: RefundService
  reconciliation: ReconcileService
  webhooks: WebhookService
  emailSync: { sync(memberId: string): Promise<void> }
}

/** Who does the jobs of billing. To be called before the jobs start. */
export function handleBillingJobs(
  jobs: Jobs,
  { gateway, subscriptionSync, refunds, reconciliation, webhooks, emailSync }: Deps,
): void {
  jobs.handle(syncCustomer, async ({ customerId }) => void (await subscriptionSync.sync(customerId)))
  jobs.handle(syncDispute, async ({ disputeId }) => void (await subscriptionSync.cancelDisputed(disputeId)))
  jobs.handle(syncRefund, ({ refundId }) => refunds.sync(refundId))
  jobs.handle(syncEmail, ({ memberId }) => emailSync.sync(memberId))
  jobs.handle(billingSweep, async () => {
    await reconciliation.sweep()
    await webhooks.removeOld()
  })
  jobs.handle(reconcilePlans, async () => {
    if (gateway.isSetUp) await reconciliation.reconcile()
  })
}
