import type { PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import type { Jobs } from '#platform/jobs.ts'
import {
  addressChanged,
  billingSweep,
  customerChanged,
  disputeReported,
  reconcileDue,
  refundReported,
} from './billing.jobs.ts'
import type { ReadingService } from './readings/readings.service.ts'
import type { ReconcileService } from './readings/reconcile.service.ts'
import type { RefundService } from './refunds/refunds.service.ts'
import type { WebhookService } from './webhooks/webhooks.service.ts'

type Deps = {
  gateway: PaymentGateway
  readings: ReadingService
  refunds: RefundService
  reconciling: ReconcileService
  webhooks: WebhookService
  addresses: { send(memberId: string): Promise<void> }
}

/** Who does the jobs of billing. To be called before the jobs start. */
export function handleBillingJobs(
  jobs: Jobs,
  { gateway, readings, refunds, reconciling, webhooks, addresses }: Deps,
): void {
  jobs.handle(customerChanged, async ({ customerId }) => void (await readings.read(customerId)))
  jobs.handle(disputeReported, async ({ disputeId }) => void (await readings.cancelDisputed(disputeId)))
  jobs.handle(refundReported, ({ refundId }) => refunds.sync(refundId))
  jobs.handle(addressChanged, ({ memberId }) => addresses.send(memberId))
  jobs.handle(billingSweep, async () => {
    await reconciling.sweep()
    await webhooks.removeOld()
  })
  jobs.handle(reconcileDue, async () => {
    if (gateway.isSetUp) await reconciling.reconcile()
  })
}
