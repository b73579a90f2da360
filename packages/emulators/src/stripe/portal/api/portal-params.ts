import { cancellationReason, prorationBehavior } from '../../billing/subscriptions/subscription-params.ts'
import { pagination } from '../../protocol/list.ts'
import { metadata } from '../../protocol/metadata.ts'
import { boolean, choice, emptyable, integerBetween, list, object, text, url } from '../../protocol/params.ts'

const features = object({
  customer_update: object({
    enabled: boolean.optional(),
    allowed_updates: emptyable(
      list(choice('address', 'email', 'name', 'phone', 'shipping', 'tax_id')),
    ).optional(),
  }).optional(),
  invoice_history: object({ enabled: boolean }).optional(),
  payment_method_update: object({ enabled: boolean }).optional(),
  subscription_cancel: object({
    enabled: boolean.optional(),
    mode: choice('at_period_end', 'immediately').optional(),
    proration_behavior: prorationBehavior.optional(),
    cancellation_reason: object({
      enabled: boolean.optional(),
      options: emptyable(list(cancellationReason)).optional(),
    }).optional(),
  }).optional(),
  subscription_update: object({
    enabled: boolean.optional(),
    default_allowed_updates: emptyable(list(choice('price', 'promotion_code', 'quantity'))).optional(),
    proration_behavior: prorationBehavior.optional(),
    products: emptyable(list(object({ product: text, prices: list(text) }))).optional(),
    schedule_at_period_end: object({
      conditions: emptyable(
        list(object({ type: choice('decreasing_item_amount', 'shortening_interval') })),
      ).optional(),
    }).optional(),
    trial_update_behavior: choice('continue_trial', 'end_trial').optional(),
    billing_cycle_anchor: choice('now', 'unchanged').optional(),
  }).optional(),
})

const shared = {
  business_profile: object({
    headline: emptyable(text).optional(),
    privacy_policy_url: url.optional(),
    terms_of_service_url: url.optional(),
  }).optional(),
  default_return_url: emptyable(url).optional(),
  metadata: metadata.optional(),
  name: emptyable(text).optional(),
}

export const createConfigurationParams = object({ ...shared, features })

export const updateConfigurationParams = object({
  ...shared,
  features: features.optional(),
  active: boolean.optional(),
})

export const listConfigurationsParams = object({
  ...pagination,
  active: boolean.optional(),
  is_default: boolean.optional(),
})

const afterCompletion = object({
  type: choice('hosted_confirmation', 'portal_homepage', 'redirect'),
  hosted_confirmation: object({ custom_message: text.optional() }).optional(),
  redirect: object({ return_url: url }).optional(),
})

const discount = object({ coupon: text.optional(), promotion_code: text.optional() })

const subscription = object({ subscription: text })

export const createSessionParams = object({
  customer: text,
  configuration: text.optional(),
  locale: text.optional(),
  return_url: url.optional(),
  flow_data: object({
    type: choice(
      'payment_method_update',
      'subscription_cancel',
      'subscription_update',
      'subscription_update_confirm',
    ),
    after_completion: afterCompletion.optional(),
    subscription_cancel: subscription.optional(),
    subscription_update: subscription.optional(),
    subscription_update_confirm: object({
      subscription: text,
      items: list(
        object({ id: text, price: text.optional(), quantity: integerBetween(1, 999_999).optional() }),
      ),
      discounts: list(discount).optional(),
    }).optional(),
  }).optional(),
})
