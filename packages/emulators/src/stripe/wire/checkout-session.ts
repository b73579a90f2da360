import type { WireObject } from '../protocol/wire-object.ts'
import type { CheckoutSessionRecord } from '../records/checkout-session.ts'
import { totalsOf } from '../rules/checkout-totals.ts'
import type { World } from '../world/world.ts'
import { toWirePrice } from './catalogue.ts'

/** A checkout session as Stripe answers it; `line_items` only appear when they are asked for by `expand`. */
export function toWireCheckoutSession(world: World, session: CheckoutSessionRecord): WireObject {
  const totals = totalsOf(world, session)
  const isOpen = session.status === 'open'
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
    customer_creation: session.mode === 'payment' ? 'if_required' : session.customerId ? null : 'always',
    customer_details: detailsOf(world, session),
    customer_email: session.customerEmail,
    discounts: session.discounts.map(({ couponId, promotionCodeId }) => ({
      coupon: promotionCodeId ? null : couponId,
      promotion_code: promotionCodeId,
    })),
    expires_at: session.expiresAt,
    invoice: session.invoiceId,
    invoice_creation:
      session.mode === 'payment'
        ? {
            enabled: false,
            invoice_data: {
              account_tax_ids: null,
              custom_fields: null,
              description: null,
              footer: null,
              issuer: null,
              metadata: {},
              rendering_options: null,
            },
          }
        : null,
    locale: session.locale,
    metadata: session.metadata,
    mode: session.mode,
    payment_intent: session.paymentIntentId,
    payment_method_collection: session.mode === 'payment' ? 'if_required' : session.paymentMethodCollection,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_status: session.paymentStatus,
    status: session.status,
    subscription: session.subscriptionId,
    success_url: session.successUrl,
    total_details: {
      amount_discount: totals.discount,
      amount_shipping: session.mode === 'payment' ? 0 : null,
      amount_tax: 0,
    },
    url: isOpen ? session.url : null,
    ...session.echoes,
  }
}

/** What was bought, as the list of line items holds it. */
export function toWireLineItems(
  world: World,
  session: CheckoutSessionRecord,
): (WireObject & { id: string })[] {
  return totalsOf(world, session).lines.map(({ id, price, quantity, subtotal, discount, total }) => ({
    id,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: discount,
    amount_subtotal: subtotal,
    amount_tax: 0,
    amount_total: total,
    currency: price.currency,
    description: world.of('product').get(price.productId).name,
    metadata: {},
    price: toWirePrice(world, price),
    quantity,
  }))
}

/** What a page that sells one thing by card never has; what it might have is echoed as it was asked for. */
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
  integration_identifier: null,
  livemode: false,
  managed_payments: { enabled: false },
  origin_context: null,
  payment_link: null,
  payment_method_configuration_details: null,
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

function detailsOf(world: World, { customerDetails, customerId, customerEmail }: CheckoutSessionRecord) {
  const customer = customerId ? world.of('customer').find(customerId) : undefined
  const known = customerDetails ?? { email: customer?.email ?? customerEmail, name: null }
  if (!customerDetails && !known.email) return null
  return {
    address: null,
    business_name: null,
    email: known.email,
    individual_name: null,
    name: known.name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: customerDetails ? [] : null,
  }
}
