import type { z } from 'zod'
import { listing } from '../../protocol/list.ts'
import { metadata } from '../../protocol/metadata.ts'
import {
  boolean,
  choice,
  currency,
  email,
  emptyable,
  integerBetween,
  list,
  object,
  text,
  timestamp,
  url,
} from '../../protocol/params.ts'

const switchable = object({ enabled: boolean })
const message = emptyable(object({ message: text })).optional()

const lineItem = object({ price: text, quantity: integerBetween(1, 999_999) })

/** What the page does not act on; answers repeat it. */
const echoed = {
  adaptive_pricing: object({ enabled: boolean.optional() }).optional(),
  automatic_tax: switchable.optional(),
  billing_address_collection: choice('auto', 'required').optional(),
  consent_collection: object({
    promotions: choice('auto', 'none').optional(),
    terms_of_service: choice('none', 'required').optional(),
  }).optional(),
  custom_text: object({
    after_submit: message,
    shipping_address: message,
    submit: message,
    terms_of_service_acceptance: message,
  }).optional(),
  integration_identifier: text.optional(),
  origin_context: choice('mobile_app', 'web').optional(),
  phone_number_collection: switchable.optional(),
  saved_payment_method_options: object({
    allow_redisplay_filters: list(choice('always', 'limited', 'unspecified')).optional(),
    payment_method_remove: choice('disabled', 'enabled').optional(),
    payment_method_save: choice('disabled', 'enabled').optional(),
  }).optional(),
  submit_type: choice('auto', 'book', 'donate', 'pay', 'subscribe').optional(),
  tax_id_collection: switchable.optional(),
}

export const createParams = object({
  ...echoed,
  mode: choice('subscription', 'payment', 'setup'),
  ui_mode: choice('hosted_page', 'embedded_page', 'elements', 'form').optional(),
  line_items: list(lineItem),
  success_url: url,
  cancel_url: url.optional(),
  customer: text.optional(),
  customer_email: email.optional(),
  customer_creation: choice('always', 'if_required').optional(),
  customer_update: object({
    address: choice('auto', 'never').optional(),
    name: choice('auto', 'never').optional(),
    shipping: choice('auto', 'never').optional(),
  }).optional(),
  client_reference_id: text.optional(),
  currency: currency.optional(),
  allow_promotion_codes: boolean.optional(),
  discounts: list(object({ coupon: text.optional(), promotion_code: text.optional() })).optional(),
  expires_at: timestamp.optional(),
  locale: text.optional(),
  metadata: metadata.optional(),
  payment_method_collection: choice('always', 'if_required').optional(),
  payment_intent_data: object({
    description: text.optional(),
    metadata: metadata.optional(),
    setup_future_usage: choice('off_session', 'on_session').optional(),
    receipt_email: email.optional(),
  }).optional(),
  subscription_data: object({
    description: text.optional(),
    metadata: metadata.optional(),
    trial_end: timestamp.optional(),
    trial_period_days: integerBetween(1, 730).optional(),
    billing_mode: object({ type: choice('classic', 'flexible') }).optional(),
    proration_behavior: choice('create_prorations', 'none').optional(),
    trial_settings: object({
      end_behavior: object({ missing_payment_method: choice('cancel', 'create_invoice', 'pause') }),
    }).optional(),
  }).optional(),
})

export const updateParams = object({ metadata: metadata.optional() })

export const listParams = object({
  ...listing,
  customer: text.optional(),
  customer_details: object({ email: text }).optional(),
  payment_intent: text.optional(),
  payment_link: text.optional(),
  status: choice('open', 'complete', 'expired').optional(),
  subscription: text.optional(),
})

/** Those of the parameters that answers repeat as they were given. */
export function echoesOf(given: z.infer<typeof createParams>): Record<string, unknown> {
  const named = Object.entries(given).filter(([name, value]) => name in echoed && value !== undefined)
  return Object.fromEntries(named)
}
