import type Stripe from 'stripe'
import { sha256 } from '#platform/ids.ts'
import type { Payment, PaymentGateway, Refund } from '../payment-gateway.ts'
import { callOnce, idOf, listPages, pageSize, secondsOf } from './client/client.ts'
import { isRefusal, orMissing } from './client/errors.ts'

type RefundCalls = Pick<PaymentGateway, 'listPayments' | 'refund' | 'findRefund' | 'listFailedRefunds'>

export function stripeRefunds(stripe: Stripe): RefundCalls {
  /** Returns the automatic refund of a payment. Refunds made by hand have no `why`. */
  async function findAutomatic(paymentId: string): Promise<Refund | null> {
    const { data } = await stripe.refunds.list({
      payment_intent: paymentId,
      limit: pageSize,
      expand: ['data.charge'],
    })
    const made = data.find(({ metadata }) => metadata?.why !== undefined)
    return made === undefined ? null : toRefund(made)
  }

  return {
    async listPayments(invoiceId) {
      const { data } = await stripe.invoicePayments.list({
        invoice: invoiceId,
        status: 'paid',
        limit: pageSize,
        expand: ['data.payment.payment_intent.latest_charge'],
      })
      const payments: Payment[] = []
      for (const { payment } of data) {
        const charge = chargeOf(payment.payment_intent)
        if (payment.payment_intent === undefined || charge === null) continue
        const id = idOf(payment.payment_intent)
        const refund = charge.amount_refunded > 0 ? await findAutomatic(id) : null
        const amount = charge.amount - charge.amount_refunded
        if (amount > 0 || refund !== null) payments.push({ id, amount, currency: charge.currency, refund })
      }
      return payments
    },
    async refund({ paymentId, invoiceId, reason, appId, memberId }) {
      const params = {
        payment_intent: paymentId,
        reason: reason === 'paid-twice' ? ('duplicate' as const) : ('requested_by_customer' as const),
        metadata: { why: reason, app: appId, member: memberId ?? '', invoice: invoiceId },
        expand: ['charge'],
      }
      // With another reason, the call is another one to Stripe. It refunds a payment once in any case.
      const key = `refund-payment-${paymentId}-${sha256(JSON.stringify(params)).slice(0, 16)}`
      try {
        const made = await callOnce(key, (options) => stripe.refunds.create(params, options))
        return toRefund(made)
      } catch (error) {
        // Refunded meanwhile by hand or by another process, or disputed.
        if (isRefusal(error, 'charge_already_refunded', 'charge_disputed')) return null
        throw error
      }
    },
    async findRefund(refundId) {
      const found = await orMissing(stripe.refunds.retrieve(refundId, { expand: ['charge'] }))
      return found === null ? null : toRefund(found)
    },
    async *listFailedRefunds(since) {
      const filter = { created: { gte: secondsOf(since) }, expand: ['data.charge'] }
      for await (const data of listPages((page) => stripe.refunds.list({ ...page, ...filter }))) {
        yield data.flatMap((refund) => toRefund(refund) ?? []).filter(({ hasFailed }) => hasFailed)
      }
    },
  }
}

/** Returns null without a payment intent, which every subscription payment has. */
function toRefund({ id, amount, currency, status, payment_intent: intent, charge }: Stripe.Refund) {
  if (intent === null) return null
  const customer = typeof charge === 'object' ? charge?.customer : null
  const customerId = customer ? idOf(customer) : null
  const hasFailed = status === 'failed' || status === 'canceled'
  return { id, amount, currency, paymentId: idOf(intent), customerId, hasFailed }
}

function chargeOf(intent: Stripe.InvoicePayment.Payment['payment_intent']): Stripe.Charge | null {
  const charge = typeof intent === 'object' ? intent.latest_charge : null
  return typeof charge === 'object' ? charge : null
}
