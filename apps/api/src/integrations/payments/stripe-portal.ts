import type Stripe from 'stripe'
import { sha256 } from '../../platform/ids.ts'
import type { PaymentGateway, SoldPrice } from './payment-gateway.ts'
import { isMissing } from './stripe-failures.ts'

/** What Stripe's portal offers to members. */
export function portalAt(stripe: Stripe): Pick<PaymentGateway, 'syncPortal'> {
  return {
    async syncPortal(app, prices, configurationId) {
      const params = {
        name: app.name,
        default_return_url: app.siteUrl,
        metadata: { app: app.id },
        features: featuresOf(prices),
      }
      if (configurationId !== null) {
        try {
          const { id } = await stripe.billingPortal.configurations.update(configurationId, {
            ...params,
            active: true,
          })
          return id
        } catch (error) {
          if (!isMissing(error)) throw error
        }
      }
      const idempotencyKey = `portal-${sha256(JSON.stringify([params, configurationId]))}`
      const { id } = await stripe.billingPortal.configurations.create(params, { idempotencyKey })
      return id
    },
  }
}

function featuresOf(prices: readonly SoldPrice[]) {
  const products = productsOf(prices)
  return {
    // Addresses are changed here, where they are proved.
    customer_update: { enabled: false },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: {
      enabled: true,
      mode: 'at_period_end',
      proration_behavior: 'none',
    },
    subscription_update:
      products.length === 0
        ? { enabled: false }
        : {
            enabled: true,
            default_allowed_updates: ['price'],
            proration_behavior: 'always_invoice',
            products,
            schedule_at_period_end: {
              conditions: [{ type: 'decreasing_item_amount' }, { type: 'shortening_interval' }],
            },
          },
  } satisfies Stripe.BillingPortal.ConfigurationCreateParams['features']
}

/** Only what is paid again and again can be switched to. */
function productsOf(prices: readonly SoldPrice[]) {
  const priceIds = new Map<string, string[]>()
  for (const { id, productId, interval } of prices) {
    if (interval !== null) priceIds.set(productId, [...(priceIds.get(productId) ?? []), id])
  }
  return [...priceIds].map(([product, ids]) => ({ product, prices: ids }))
}
