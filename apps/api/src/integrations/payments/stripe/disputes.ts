import type Stripe from 'stripe'
import type { PaymentGateway } from '../payment-gateway.ts'
import { idOf, listPages } from './client/client.ts'
import { orMissing } from './client/errors.ts'

type DisputeCalls = Pick<PaymentGateway, 'findDisputed' | 'listDisputes' | 'findPaidInvoice'>

export function stripeDisputes(stripe: Stripe): DisputeCalls {
  return {
    async findDisputed(disputeId) {
      const dispute = await orMissing(stripe.disputes.retrieve(disputeId, { expand: ['charge'] }))
      if (dispute === null || !isOpenOrLost(dispute) || dispute.payment_intent === null) return null
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
      const pages = listPages((page) => stripe.disputes.list({ ...page, expand: ['data.charge'] }))
      for await (const data of pages) {
        yield data.filter(isOpenOrLost).flatMap((dispute) => {
          const customerId = customerOf(dispute)
          return customerId === null ? [] : [{ id: dispute.id, customerId }]
        })
      }
    },
  }
}

function customerOf({ charge }: Stripe.Dispute): string | null {
  return typeof charge === 'string' || charge.customer === null ? null : idOf(charge.customer)
}

/** Counts an unknown status as open, since Stripe adds some. An inquiry (`warning_…`) takes no money. */
function isOpenOrLost({ status }: Stripe.Dispute): boolean {
  return status !== 'won' && status !== 'prevented' && !status.startsWith('warning_')
}
