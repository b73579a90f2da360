import type Stripe from 'stripe'
import { sha256 } from '#platform/ids.ts'
import type { PaymentGateway, SoldPrice } from '../payment-gateway.ts'
import type { Tax } from './client.ts'
import { isMissing } from './errors.ts'
import { callOnce } from './idempotency.ts'

/** As many as Stripe takes. */
const mostProducts = 10

/** What Stripe's portal offers to members. */
export function stripePortal(stripe: Stripe, tax: Tax): Pick<PaymentGateway, 'syncPortal'> {
  return {
    async syncPortal(app, prices, configurationId, onProgress) {
      const products = productsOf(prices)
      const params = {
        name: app.name,
        default_return_url: app.siteUrl,
        metadata: { app: app.id },
        features: featuresOf(products.slice(0, mostProducts), tax),
      }
      if (products.length > mostProducts) {
        onProgress(
          `the portal offers the first ${mostProducts} of ${products.length} plans: Stripe takes no more`,
        )
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
      const key = `portal-${sha256(JSON.stringify([params, configurationId]))}`
      const { id } = await callOnce(key, (options) =>
        stripe.billingPortal.configurations.create(params, options),
      )
      return id
    },
  }
}

function featuresOf(
  products: Stripe.BillingPortal.ConfigurationCreateParams.Features.SubscriptionUpdate.Product[],
  tax: Tax,
) {
  return {
    // Email addresses are changed on the site, where they are proved.
    customer_update:
      tax === null ? { enabled: false } : { enabled: true, allowed_updates: ['address', 'name', 'tax_id'] },
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

/** Only what is paid again and again can be switched to, and Stripe takes one price a product for each interval. */
function productsOf(prices: readonly SoldPrice[]) {
  const offers = new Map<string, Map<string, string>>()
  for (const { id, productId, interval } of prices) {
    const offered = offers.get(productId) ?? new Map<string, string>()
    if (interval !== null && !offered.has(interval)) offers.set(productId, offered.set(interval, id))
  }
  return [...offers].map(([product, ids]) => ({ product, prices: [...ids.values()] }))
}
