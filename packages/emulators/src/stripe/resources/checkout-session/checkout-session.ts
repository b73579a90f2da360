import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'
import type { CheckoutSessionRecord } from './checkout-session.record.ts'
import { checkoutTotals } from './checkout-totals.ts'

/** Returns a checkout session as Stripe shows it. */
export function toWireCheckoutSession(store: Store, session: CheckoutSessionRecord): WireObject {
  const { status, discount } = session
  const totals = checkoutTotals(store, session)
  const { email = null, name = null } = store.of('customer').find(session.customerId) ?? {}
  return {
    ...constants,
    id: session.id,
    object: 'checkout.session',
    allow_promotion_codes: session.allowPromotionCodes || null,
    amount_subtotal: totals.subtotal,
    amount_total: totals.total,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    created: session.created,
    currency: session.currency,
    customer: session.customerId,
    customer_details: {
      address: null,
      business_name: null,
      email,
      individual_name: null,
      name: status === 'complete' ? name : null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: status === 'complete' ? [] : null,
    },
    discounts:
      discount === null
        ? []
        : [
            {
              coupon: discount.promotionCodeId ? null : discount.couponId,
              promotion_code: discount.promotionCodeId,
            },
          ],
    expires_at: session.expiresAt,
    invoice: session.invoiceId,
    metadata: session.metadata,
    payment_status: session.paymentStatus,
    status,
    subscription: session.subscriptionId,
    success_url: session.successUrl,
    total_details: { amount_discount: totals.discount, amount_shipping: null, amount_tax: 0 },
    url: status === 'open' ? session.url : null,
    ...session.echoes,
  }
}

/** What is the same for every session; what was asked for otherwise is echoed. */
const constants = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  customer_account: null,
  customer_creation: null,
  customer_email: null,
  integration_identifier: null,
  invoice_creation: null,
  livemode: false,
  locale: null,
  managed_payments: { enabled: false },
  mode: 'subscription',
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'always',
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
  payment_method_types: ['card'],
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: {
    allow_redisplay_filters: ['always'],
    payment_method_remove: 'disabled',
    payment_method_save: null,
  },
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  ui_mode: 'hosted_page',
  wallet_options: null,
}
