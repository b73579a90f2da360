import type { WireObject } from '../protocol/wire-object.ts'
import type {
  AfterCompletion,
  PortalConfigurationRecord,
  PortalFlow,
  PortalSessionRecord,
} from '../records/portal.ts'

/**
 * A portal configuration as Stripe answers it. `features.subscription_update.products` is only seen by who asks for it
 * by `expand`, which finds it although it is not enumerable.
 */
export function toWirePortalConfiguration(configuration: PortalConfigurationRecord): WireObject {
  const { businessProfile, features } = configuration
  const { customerUpdate, invoiceHistory, paymentMethodUpdate, subscriptionCancel, subscriptionUpdate } =
    features
  return {
    id: configuration.id,
    object: 'billing_portal.configuration',
    active: configuration.active,
    application: null,
    business_profile: {
      headline: businessProfile.headline,
      privacy_policy_url: businessProfile.privacyPolicyUrl,
      terms_of_service_url: businessProfile.termsOfServiceUrl,
    },
    created: configuration.created,
    default_return_url: configuration.defaultReturnUrl,
    features: {
      customer_update: { allowed_updates: customerUpdate.allowedUpdates, enabled: customerUpdate.enabled },
      invoice_history: { enabled: invoiceHistory.enabled },
      payment_method_update: { enabled: paymentMethodUpdate.enabled, payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { ...subscriptionCancel.cancellationReason, feedback_options: null },
        enabled: subscriptionCancel.enabled,
        mode: subscriptionCancel.mode,
        proration_behavior: subscriptionCancel.prorationBehavior,
      },
      subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
      subscription_update: Object.defineProperty(
        {
          billing_cycle_anchor: subscriptionUpdate.billingCycleAnchor,
          default_allowed_updates: subscriptionUpdate.defaultAllowedUpdates,
          enabled: subscriptionUpdate.enabled,
          proration_behavior: subscriptionUpdate.prorationBehavior,
          schedule_at_period_end: {
            conditions: subscriptionUpdate.scheduleAtPeriodEnd.conditions.map((type) => ({ type })),
          },
          trial_update_behavior: subscriptionUpdate.trialUpdateBehavior,
        },
        'products',
        { value: toWireProducts(configuration), enumerable: false },
      ),
    },
    is_default: configuration.isDefault,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: configuration.metadata,
    name: configuration.name,
    updated: configuration.updated,
  }
}

function toWireProducts({ features }: PortalConfigurationRecord): WireObject[] {
  return features.subscriptionUpdate.products.map(({ productId, priceIds }) => ({
    adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
    prices: priceIds,
    product: productId,
  }))
}

/** A portal session as Stripe answers it. */
export function toWirePortalSession(session: PortalSessionRecord): WireObject {
  return {
    id: session.id,
    object: 'billing_portal.session',
    after_expiration: null,
    configuration: session.configurationId,
    created: session.created,
    customer: session.customerId,
    customer_account: null,
    flow: session.flow && toWireFlow(session.flow, session.afterCompletion),
    livemode: false,
    locale: session.locale,
    on_behalf_of: null,
    return_url: session.returnUrl,
    url: session.url,
  }
}

function toWireFlow(flow: PortalFlow, after: AfterCompletion): WireObject {
  return {
    after_completion: {
      hosted_confirmation:
        after.type === 'hosted_confirmation' ? { custom_message: after.customMessage } : null,
      redirect: after.type === 'redirect' ? { return_url: after.returnUrl } : null,
      type: after.type,
    },
    customer_update: null,
    subscription_cancel:
      flow.type === 'subscription_cancel' ? { retention: null, subscription: flow.subscriptionId } : null,
    subscription_pause: null,
    subscription_update: flow.type === 'subscription_update' ? { subscription: flow.subscriptionId } : null,
    subscription_update_confirm: flow.type === 'subscription_update_confirm' ? toWireConfirm(flow) : null,
    type: flow.type,
  }
}

function toWireConfirm(flow: Extract<PortalFlow, { type: 'subscription_update_confirm' }>): WireObject {
  return {
    discounts: flow.discounts.map(({ couponId, promotionCodeId }) => ({
      coupon: promotionCodeId ? null : couponId,
      promotion_code: promotionCodeId,
    })),
    items: flow.items.map(({ itemId, priceId, quantity }) => ({ id: itemId, price: priceId, quantity })),
    subscription: flow.subscriptionId,
  }
}
