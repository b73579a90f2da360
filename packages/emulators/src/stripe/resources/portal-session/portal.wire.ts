import type { WireObject } from '../../protocol/wire-object.ts'
import type { PortalConfigurationRecord, PortalFlow, PortalSessionRecord } from './portal.record.ts'

/**
 * Returns a portal configuration as Stripe shows it. `features.subscription_update.products` is not enumerable: only
 * `expand` finds it.
 */
export function toWirePortalConfiguration(configuration: PortalConfigurationRecord): WireObject {
  const { features, products, scheduleConditions } = configuration
  return {
    id: configuration.id,
    object: 'billing_portal.configuration',
    active: configuration.active,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created: configuration.created,
    default_return_url: configuration.defaultReturnUrl,
    features: {
      customer_update: { allowed_updates: [], enabled: false },
      invoice_history: { enabled: features.invoiceHistory },
      payment_method_update: { enabled: features.paymentMethodUpdate, payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: features.subscriptionCancel,
        mode: 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
      subscription_update: Object.defineProperty(
        {
          billing_cycle_anchor: null,
          default_allowed_updates: features.subscriptionUpdate ? ['price'] : [],
          enabled: features.subscriptionUpdate,
          proration_behavior: 'always_invoice',
          schedule_at_period_end: { conditions: scheduleConditions.map((type) => ({ type })) },
          trial_update_behavior: 'end_trial',
        },
        'products',
        {
          value: products.map(({ productId, priceIds }) => ({
            adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
            prices: priceIds,
            product: productId,
          })),
          enumerable: false,
        },
      ),
    },
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: configuration.metadata,
    name: configuration.name,
    updated: configuration.updated,
  }
}

/** Returns a portal session as Stripe shows it. */
export function toWirePortalSession(session: PortalSessionRecord): WireObject {
  return {
    id: session.id,
    object: 'billing_portal.session',
    after_expiration: null,
    configuration: session.configurationId,
    created: session.created,
    customer: session.customerId,
    customer_account: null,
    flow: session.flow && toWireFlow(session.flow),
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: session.returnUrl,
    url: session.url,
  }
}

function toWireFlow({ subscriptionId, itemId, priceId, quantity, returnUrl }: PortalFlow): WireObject {
  return {
    after_completion: {
      hosted_confirmation: null,
      redirect: returnUrl === null ? null : { return_url: returnUrl },
      type: returnUrl === null ? 'portal_homepage' : 'redirect',
    },
    customer_update: null,
    subscription_cancel: null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: {
      discounts: null,
      items: [{ id: itemId, price: priceId, quantity }],
      subscription: subscriptionId,
    },
    type: 'subscription_update_confirm',
  }
}
