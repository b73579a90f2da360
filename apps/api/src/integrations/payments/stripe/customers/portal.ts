import type Stripe from 'stripe'
import type { PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import { sha256 } from '#platform/ids.ts'
import { callOnce, type Tax } from '../client/client.ts'
import { orMissing } from '../client/errors.ts'

export function stripePortal(stripe: Stripe, tax: Tax): Pick<PaymentGateway, 'openPortal' | 'syncPortal'> {
  const { configurations, sessions } = stripe.billingPortal
  const features = {
    // Members change their email on the site, where they verify it.
    customer_update:
      tax === null ? { enabled: false } : { enabled: true, allowed_updates: ['address', 'name', 'tax_id'] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end', proration_behavior: 'none' },
    // The site changes plans.
    subscription_update: { enabled: false },
  } satisfies Stripe.BillingPortal.ConfigurationCreateParams['features']

  return {
    async openPortal({ customerId, configurationId, returnUrl }) {
      const { url } = await sessions.create({
        customer: customerId,
        configuration: configurationId,
        return_url: returnUrl,
      })
      return { url }
    },
    async syncPortal(app, configurationId) {
      const params = {
        name: app.name,
        default_return_url: app.siteUrl,
        metadata: { app: app.id },
        features,
      }
      if (configurationId !== null) {
        const change = { ...params, active: true }
        const updated = await orMissing(configurations.update(configurationId, change))
        if (updated !== null) return updated.id
      }
      const key = `portal-${sha256(JSON.stringify([params, configurationId]))}`
      return (await callOnce(key, (options) => configurations.create(params, options))).id
    },
  }
}
