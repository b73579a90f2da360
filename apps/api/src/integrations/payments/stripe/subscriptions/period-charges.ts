import type Stripe from 'stripe'
import type { PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import { idOf } from '../client/client.ts'
import { amountOf, isOfPeriod, sum } from './renewals.ts'

/** Reads what periods have cost, from the lines of paid invoices: credit lowers an invoice, not the price. */
export function stripePeriodCharges(stripe: Stripe): Pick<PaymentGateway, 'findPeriodCharge'> {
  return {
    async findPeriodCharge({ id: subscription, priceId }) {
      const { data } = await stripe.invoices.list({ subscription, status: 'paid', limit: 10 })
      const latest = data.find(({ lines }) => lines.data.some(isOfPeriod))
      const lines = latest?.lines.data.filter(isOfPeriod) ?? []
      // A change within the period charges the difference only.
      if (latest === undefined || !lines.some((line) => priceOf(line) === priceId)) return null
      return { amount: sum(lines.map(amountOf)), currency: latest.currency }
    },
  }
}

function priceOf({ pricing }: Stripe.InvoiceLineItem): string | null {
  const price = pricing?.price_details?.price
  return price === undefined ? null : idOf(price)
}
