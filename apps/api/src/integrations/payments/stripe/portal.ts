import type Stripe from 'stripe'
import { sha256 } from '#platform/ids.ts'
import type { PaymentGateway, PortalDestination, SoldPrice } from '../payment-gateway.ts'
import type { Tax } from './client.ts'
import { isMissing } from './errors.ts'
import { callOnce } from './idempotency.ts'

/** The most products that Stripe's portal accepts. */
const maxProducts = 10

export function stripePortal(stripe: Stripe, tax: Tax): Pick<PaymentGateway, 'openPortal' | 'syncPortal'> {
  const { configurations, sessions } = stripe.billingPortal
  return {
    async openPortal({ customerId, configurationId, returnUrl, destination }) {
      const { url } = await sessions.create({
        customer: customerId,
        configuration: configurationId,
        return_url: returnUrl,
        ...flowTo(destination),
      })
      return { url }
    },
    async syncPortal(app, prices, configurationId, onProgress) {
      const products = productsOf(prices)
      const params = {
        name: app.name,
        default_return_url: app.siteUrl,
        metadata: { app: app.id },
        features: featuresOf(products.slice(0, maxProducts), tax),
      }
      if (products.length > maxProducts)
        onProgress(`portal: offers the first ${maxProducts} of ${products.length} plans, Stripe's limit`)
      if (configurationId !== null) {
        try {
          return (await configurations.update(configurationId, { ...params, active: true })).id
        } catch (error) {
          if (!isMissing(error)) throw error
        }
      }
      const key = `portal-${sha256(JSON.stringify([params, configurationId]))}`
      return (await callOnce(key, (options) => configurations.create(params, options))).id
    },
  }
}

function flowTo(destination: PortalDestination): Stripe.BillingPortal.SessionCreateParams {
  if (destination.kind === 'overview') return {}
  const { subscription, priceId, doneUrl } = destination
  return {
    flow_data: {
      type: 'subscription_update_confirm',
      subscription_update_confirm: {
        subscription: subscription.id,
        items: [{ id: subscription.itemId, price: priceId, quantity: 1 }],
      },
      after_completion: { type: 'redirect', redirect: { return_url: doneUrl } },
    },
  }
}

function featuresOf(
  products: Stripe.BillingPortal.ConfigurationCreateParams.Features.SubscriptionUpdate.Product[],
  tax: Tax,
) {
  return {
    // Members change their email on the site, where they verify it.
    customer_update:
      tax === null ? { enabled: false } : { enabled: true, allowed_updates: ['address', 'name', 'tax_id'] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end', proration_behavior: 'none' },
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

/** Groups recurring prices by product. Stripe accepts one price of a product for each interval. */
function productsOf(prices: readonly SoldPrice[]) {
  const offers = new Map<string, Map<string, string>>()
  for (const { id, productId, interval } of prices) {
    const offered = offers.get(productId) ?? new Map<string, string>()
    if (interval !== null && !offered.has(interval)) offers.set(productId, offered.set(interval, id))
  }
  return [...offers].map(([product, ids]) => ({ product, prices: [...ids.values()] }))
}
