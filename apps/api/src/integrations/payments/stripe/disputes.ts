import type Stripe from 'stripe'
import type { PaymentGateway } from '../payment-gateway.ts'
import { idOf, pageSize } from './client.ts'
import { isMissing, translateErrors } from './errors.ts'

/** What banks dispute. */
export function stripeDisputes(
  stripe: Stripe,
): Pick<PaymentGateway, 'findDisputed' | 'listDisputes' | 'findPaidInvoice'> {
  async function findDispute(id: string): Promise<Stripe.Dispute | null> {
    try {
      return await stripe.disputes.retrieve(id, { expand: ['charge'] })
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  return {
    async findDisputed(disputeId) {
      const dispute = await findDispute(disputeId)
      if (dispute === null || !takesMoney(dispute) || dispute.payment_intent === null) return null
      const customerId = customerOf(dispute)
      return customerId === null ? null : { customerId, paymentId: idOf(dispute.payment_intent) }
    },
    async findPaidInvoice(paymentId) {
      const { data } = await stripe.invoicePayments.list({
        payment: { type: 'payment_intent', payment_intent: paymentId },
        expand: ['data.invoice'],
      })
      const invoice = data[0]?.invoice
      if (typeof invoice !== 'object' || !('parent' in invoice)) return null
      const subscription = invoice.parent?.subscription_details?.subscription
      return subscription ? { id: invoice.id, subscriptionId: idOf(subscription) } : null
    },
    async *listDisputes() {
      let after: string | undefined
      do {
        const params = {
          limit: pageSize,
          expand: ['data.charge'],
          ...(after === undefined ? {} : { starting_after: after }),
        }
        const { data, has_more: hasMore } = await translateErrors(() => stripe.disputes.list(params))
        yield data.filter(takesMoney).flatMap((dispute) => {
          const customerId = customerOf(dispute)
          return customerId === null ? [] : [{ id: dispute.id, customerId }]
        })
        after = hasMore ? data.at(-1)?.id : undefined
      } while (after !== undefined)
    },
  }
}

function customerOf({ charge }: Stripe.Dispute): string | null {
  return typeof charge === 'string' || charge.customer === null ? null : idOf(charge.customer)
}

/**
 * Whether a dispute is open or lost. Stripe adds statuses (`appeal_…`), and one that isn't known here counts as open. An
 * inquiry (`warning_…`) takes nothing from the merchant.
 */
function takesMoney({ status }: Stripe.Dispute): boolean {
  return status !== 'won' && status !== 'prevented' && !status.startsWith('warning_')
}
