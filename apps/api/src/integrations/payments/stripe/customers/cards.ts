import type Stripe from 'stripe'
import type { PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import { idOf } from '../client/client.ts'

const expand = ['default_payment_method', 'customer.invoice_settings.default_payment_method']

export function stripeCards(stripe: Stripe): Pick<PaymentGateway, 'useDefaultCard'> {
  return {
    async useDefaultCard(subscriptionId) {
      const subscription = await stripe.subscriptions.retrieve(subscriptionId, { expand })
      const { customer, default_payment_method: own } = subscription
      if (typeof customer === 'string' || customer.deleted || own === null || typeof own === 'string') return
      const { default_payment_method: current } = customer.invoice_settings
      const isNewer = typeof current === 'object' && current !== null && current.created > own.created
      if (!isNewer && (current === null || idOf(current) !== own.id)) {
        const settings = { default_payment_method: own.id }
        await stripe.customers.update(customer.id, { invoice_settings: settings })
      }
      await stripe.subscriptions.update(subscriptionId, { default_payment_method: '' })
    },
  }
}
