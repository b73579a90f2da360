import { listWithin } from '../../protocol/list.ts'
import type { Metadata } from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import type { Common, Store } from '../../store/store.ts'
import { amountOff, type CouponRecord } from '../products/coupon.ts'
import { type PriceRecord, productName, toWirePrice } from '../products/price.ts'
import { taxOf } from '../products/tax.ts'

export type CheckoutSessionRecord = Common & {
  status: 'open' | 'complete' | 'expired'
  paymentStatus: 'paid' | 'unpaid' | 'no_payment_required'
  customerId: string
  clientReferenceId: string | null
  lineItem: { id: string; priceId: string; quantity: number }
  discount: { couponId: string | null; promotionCodeId: string | null } | null
  allowPromotionCodes: boolean
  successUrl: string
  cancelUrl: string | null
  expiresAt: number
  subscriptionId: string | null
  invoiceId: string | null
  currency: string
  automaticTax: boolean
  /** The metadata of the new subscription. */
  subscriptionMetadata: Metadata
  /** Parameters that responses repeat, by their names on the wire. */
  echoes: Record<string, unknown>
  url: string
}

declare module '../../store/store.ts' {
  interface Records {
    checkoutSession: CheckoutSessionRecord
  }
}

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
    total_details: { amount_discount: totals.discount, amount_shipping: null, amount_tax: totals.tax },
    url: status === 'open' ? session.url : null,
    ...session.echoes,
  }
}

/** Fields that are the same for every session unless they are echoed. */
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

type Totals = { price: PriceRecord; subtotal: number; discount: number; tax: number; total: number }

/** Returns what the customer pays, in minor units. */
export function checkoutTotals(
  store: Store,
  { lineItem, discount: chosen, automaticTax }: CheckoutSessionRecord,
): Totals {
  const price = store.of('price').get(lineItem.priceId)
  const subtotal = price.unitAmount * lineItem.quantity
  const coupon = chosen && couponOfDiscount(store, chosen)
  const discount = coupon ? amountOff(coupon, { amount: subtotal, currency: price.currency }) : 0
  const net = subtotal - discount
  const tax = automaticTax ? taxOf(store, price, net) : null
  const added = tax?.behavior === 'exclusive' ? tax.amount : 0
  return { price, subtotal, discount, tax: tax?.amount ?? 0, total: net + added }
}

/** Returns the session's item as a list, which only `expand` adds. */
export function checkoutLineItems(store: Store, session: CheckoutSessionRecord): WireObject {
  const { id, quantity } = session.lineItem
  const { price, subtotal, discount, tax, total } = checkoutTotals(store, session)
  const item = {
    id,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: discount,
    amount_subtotal: subtotal,
    amount_tax: tax,
    amount_total: total,
    currency: session.currency,
    description: productName(store, price),
    metadata: {},
    price: toWirePrice(store, price),
    quantity,
  }
  return listWithin([item], `/v1/checkout/sessions/${session.id}/line_items`)
}

/** Returns the coupon of a discount: its promotion code's, if it names one. */
export function couponOfDiscount(
  store: Store,
  { couponId, promotionCodeId }: NonNullable<CheckoutSessionRecord['discount']>,
): CouponRecord | undefined {
  const id = promotionCodeId ? store.of('promotionCode').find(promotionCodeId)?.couponId : couponId
  return id ? store.of('coupon').find(id) : undefined
}

export function expireSession(store: Store, session: CheckoutSessionRecord): CheckoutSessionRecord {
  const expired = store.of('checkoutSession').put({ ...session, status: 'expired' })
  store.emit('checkout.session.expired', toWireCheckoutSession(store, expired))
  return expired
}

/** Expires every open session that is past its expiry. */
export function expireSessions(store: Store): void {
  for (const session of store.of('checkoutSession').list(isOver(store))) expireSession(store, session)
}

/** Returns a session, expired if it is due. Throws `resource_missing`. */
export function currentSession(store: Store, id: string): CheckoutSessionRecord {
  const session = store.of('checkoutSession').get(id)
  return isOver(store)(session) ? expireSession(store, session) : session
}

function isOver(store: Store) {
  const now = store.now()
  return ({ status, expiresAt }: CheckoutSessionRecord) => status === 'open' && expiresAt <= now
}

/** Returns the path of a session's page. The id is secret. */
export function checkoutPath(id: string): string {
  return `/stripe/checkout/${id}`
}
