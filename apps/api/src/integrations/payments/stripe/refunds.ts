import type Stripe from 'stripe'
import type { Payment, PaymentGateway, Refund } from '../payment-gateway.ts'
import { idOf, pageSize, secondsOf } from './client.ts'
import { isMissing, isRefusal, translateErrors } from './errors.ts'
import { callOnce } from './idempotency.ts'

type RefundCalls = Pick<PaymentGateway, 'listPayments' | 'refund' | 'findRefund' | 'listFailedRefunds'>

/** How payments are refunded. */
export function stripeRefunds(stripe: Stripe): RefundCalls {
  /** Returns the refund that was made of a payment here; refunds made by hand name no reason. */
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
        ...{ invoice: invoiceId, status: 'paid', limit: pageSize },
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
      try {
        const made = await callOnce(`refund-payment-${paymentId}`, (options) =>
          stripe.refunds.create(params, options),
        )
        return toRefund(made)
      } catch (error) {
        // Refunded by hand, or by another process, in this moment; or the bank has it, and decides.
        if (isRefusal(error, 'charge_already_refunded', 'charge_disputed')) return null
        throw error
      }
    },
    async findRefund(refundId) {
      try {
        return toRefund(await stripe.refunds.retrieve(refundId, { expand: ['charge'] }))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async *listFailedRefunds(since) {
      let after: string | undefined
      do {
        const params = {
          ...{ limit: pageSize, created: { gte: secondsOf(since) }, expand: ['data.charge'] },
          ...(after === undefined ? {} : { starting_after: after }),
        }
        const { data, has_more: hasMore } = await translateErrors(() => stripe.refunds.list(params))
        yield data.flatMap((refund) => toRefund(refund) ?? []).filter(({ hasFailed }) => hasFailed)
        after = hasMore ? data.at(-1)?.id : undefined
      } while (after !== undefined)
    },
  }
}

/** Null for a refund of a payment without a payment intent, which no subscription has. */
function toRefund({ id, amount, currency, status, payment_intent: intent, charge }: Stripe.Refund) {
  if (intent === null) return null
  const customer = typeof charge === 'object' ? charge?.customer : null
  const hasFailed = status === 'failed' || status === 'canceled'
  return {
    id,
    amount,
    currency,
    paymentId: idOf(intent),
    customerId: customer ? idOf(customer) : null,
    hasFailed,
  }
}

function chargeOf(intent: Stripe.InvoicePayment.Payment['payment_intent']): Stripe.Charge | null {
  const charge = typeof intent === 'object' ? intent.latest_charge : null
  return typeof charge === 'object' ? charge : null
}
