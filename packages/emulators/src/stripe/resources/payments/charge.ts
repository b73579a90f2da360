import { type Endpoint, endpoint, recordsOf, retrieve } from '../../endpoints/endpoint.ts'
import { listOf, listWithin, pagination } from '../../protocol/list.ts'
import { object, text, timestamp } from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import { type Common, emitChange, type Store } from '../../store/store.ts'
import { clockOf } from '../customers/customer.ts'
import { noBillingDetails } from '../customers/payment-method.ts'
import { toWireRefund } from './refund.ts'

export type ChargeRecord = Common & {
  customerId: string
  amount: number
  amountRefunded: number
  currency: string
  status: 'succeeded' | 'failed' | 'pending'
  paymentMethodId: string
  paymentIntentId: string
  disputeId: string | null
  failureCode: string | null
  failureMessage: string | null
}

declare module '../../store/store.ts' {
  interface Records {
    charge: ChargeRecord
  }
}

export function toWireCharge(store: Store, charge: ChargeRecord): WireObject {
  const method = store.of('paymentMethod').find(charge.paymentMethodId)
  const customer = store.of('customer').find(charge.customerId)
  const isPaid = charge.status === 'succeeded'
  const isRefunded = isPaid && charge.amountRefunded === charge.amount
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: isPaid ? charge.amount : 0,
    amount_refunded: charge.amountRefunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: isPaid ? charge.id.replace(/^ch_/, 'txn_') : null,
    billing_details: { ...noBillingDetails, email: customer?.email ?? null, name: customer?.name ?? null },
    calculated_statement_descriptor: 'EMULATOR',
    captured: isPaid,
    created: charge.created,
    currency: charge.currency,
    customer: charge.customerId,
    description: null,
    disputed: charge.disputeId !== null,
    failure_balance_transaction: null,
    failure_code: charge.failureCode,
    failure_message: charge.failureMessage,
    fraud_details: {},
    livemode: false,
    metadata: charge.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(charge),
    paid: isPaid,
    payment_intent: charge.paymentIntentId,
    payment_method: charge.paymentMethodId,
    payment_method_details: method
      ? {
          card: {
            amount_authorized: isPaid ? charge.amount : null,
            authorization_code: null,
            brand: method.brand,
            checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
            country: 'US',
            electronic_commerce_indicator: null,
            exp_month: method.expMonth,
            exp_year: method.expYear,
            extended_authorization: { status: 'disabled' },
            fingerprint: method.fingerprint,
            funding: method.funding,
            incremental_authorization: { status: 'unavailable' },
            installments: null,
            last4: method.last4,
            mandate: null,
            multicapture: { status: 'unavailable' },
            network: method.brand,
            network_token: { used: false },
            network_transaction_id: null,
            overcapture: { maximum_amount_capturable: charge.amount, status: 'unavailable' },
            regulated_status: 'unregulated',
            three_d_secure: null,
            transaction_link_id: null,
            wallet: null,
          },
          type: 'card',
        }
      : null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: isPaid ? `https://pay.stripe.com/receipts/payment/${charge.id}` : null,
    refunded: isRefunded,
    refunds: refundsOf(store, charge),
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: charge.status,
    transfer_data: null,
    transfer_group: null,
  }
}

function refundsOf(store: Store, { id, amountRefunded }: ChargeRecord) {
  const refunds = amountRefunded === 0 ? [] : store.of('refund').list(({ chargeId }) => chargeId === id)
  return listWithin(
    refunds.map((refund) => toWireRefund(store, refund)),
    `/v1/charges/${id}/refunds`,
  )
}

function outcomeOf({ status, failureCode, failureMessage }: ChargeRecord) {
  const isPaid = status === 'succeeded'
  return {
    advice_code: isPaid ? null : 'try_again_later',
    network_advice_code: null,
    network_decline_code: isPaid ? null : '05',
    network_status: isPaid ? 'approved_by_network' : 'declined_by_network',
    reason: isPaid ? null : failureCode,
    risk_level: 'normal',
    risk_score: 32,
    seller_message: isPaid ? 'Payment complete.' : failureMessage,
    type: isPaid ? 'authorized' : 'issuer_declined',
  }
}

export function emitChargeChange(store: Store, type: string, before: ChargeRecord, after: ChargeRecord) {
  const [earlier, now] = [toWireCharge(store, before), toWireCharge(store, after)]
  emitChange(store, type, earlier, now, clockOf(store, after.customerId))
}

/** The parameters of a list of refunds or disputes. */
export const chargeFilters = {
  ...pagination,
  charge: text.optional(),
  payment_intent: text.optional(),
  created: object({ gte: timestamp }).optional(),
}

type ChargeFilters = {
  charge?: string | undefined
  payment_intent?: string | undefined
  created?: { gte: number } | undefined
}

type AboutCharge = { chargeId: string; paymentIntentId: string; created: number }

/** Returns whether a refund or a dispute matches the filters of its list. */
export function matchesCharge({ charge, payment_intent: intentId, created }: ChargeFilters) {
  return (one: AboutCharge): boolean =>
    (charge === undefined || one.chargeId === charge) &&
    (intentId === undefined || one.paymentIntentId === intentId) &&
    (created === undefined || one.created >= created.gte)
}

const path = '/charges'

export const chargeEndpoints: Endpoint[] = [
  endpoint(
    'GET',
    path,
    object({ ...pagination, customer: text.optional(), payment_intent: text.optional() }),
    ({ store, params: { customer, payment_intent: intentId, ...page } }) => {
      const isWanted = (charge: ChargeRecord) => intentId === undefined || charge.paymentIntentId === intentId
      const found = recordsOf(store, 'charge', customer, isWanted)
      return listOf(found, page, `/v1${path}`, (charge) => toWireCharge(store, charge))
    },
  ),
  retrieve(path, 'charge', toWireCharge),
]
