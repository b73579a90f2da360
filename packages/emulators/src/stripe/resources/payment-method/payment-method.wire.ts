import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'
import type { PaymentMethodRecord } from '../customer/customer.record.ts'

/** A card as Stripe answers it. */
export function toWirePaymentMethod(_world: Store, method: PaymentMethodRecord): WireObject {
  return {
    id: method.id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: noBillingDetails,
    card: {
      brand: method.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: method.brand,
      exp_month: method.expMonth,
      exp_year: method.expYear,
      fingerprint: method.fingerprint,
      funding: method.funding,
      generated_from: null,
      last4: method.last4,
      networks: { available: [method.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: method.created,
    customer: method.customerId,
    customer_account: null,
    livemode: false,
    metadata: method.metadata,
    type: 'card',
  }
}

const noAddress = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }

/** The billing details of a card of which nothing is known. */
export const noBillingDetails = { address: noAddress, email: null, name: null, phone: null, tax_id: null }
