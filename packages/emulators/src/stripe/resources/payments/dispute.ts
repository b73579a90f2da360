import { type Endpoint, endpoint, retrieve } from '../../endpoints/endpoint.ts'
import { invalid } from '../../protocol/errors.ts'
import { listOf } from '../../protocol/list.ts'
import { object } from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import type { Common, Store } from '../../store/store.ts'
import { clockOf } from '../customers/customer.ts'
import { chargeFilters, emitChargeChange, matchesCharge } from './charge.ts'

type DisputeRecord = Common & {
  amount: number
  currency: string
  chargeId: string
  paymentIntentId: string
  reason: string
  /** A status of Stripe's; `warning_…` is an inquiry. */
  status: string
}

declare module '../../store/store.ts' {
  interface Records {
    dispute: DisputeRecord
  }
}

export function toWireDispute(store: Store, dispute: DisputeRecord): WireObject {
  const charge = store.of('charge').get(dispute.chargeId)
  const method = store.of('paymentMethod').find(charge.paymentMethodId)
  const isInquiry = dispute.status.startsWith('warning_')
  return {
    id: dispute.id,
    object: 'dispute',
    amount: dispute.amount,
    balance_transactions: [],
    charge: dispute.chargeId,
    created: dispute.created,
    currency: dispute.currency,
    enhanced_eligibility_types: [],
    evidence: Object.fromEntries([
      ...evidenceFields.map((name) => [name, null] as const),
      ['enhanced_evidence', {}] as const,
    ]),
    evidence_details: {
      due_by: dispute.created + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: null,
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: false,
    metadata: dispute.metadata,
    network_reason_code: '10.4',
    payment_intent: dispute.paymentIntentId,
    payment_method_details: {
      card: {
        brand: method?.brand ?? 'visa',
        case_type: isInquiry ? 'inquiry' : 'chargeback',
        network: method?.brand ?? 'visa',
        network_reason_code: '10.4',
      },
      type: 'card',
    },
    reason: dispute.reason,
    status: dispute.status,
  }
}

const evidenceFields = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
]

/** Disputes a charge. The bank withdraws the amount, except for an inquiry (`warning_…`). */
export function openDispute(
  store: Store,
  chargeId: string,
  { status = 'needs_response' }: { status?: string | undefined } = {},
): DisputeRecord {
  const charge = store.of('charge').get(chargeId, 'charge')
  if (charge.status !== 'succeeded') throw invalid(`Charge ${chargeId} was not paid.`, { param: 'charge' })
  if (charge.amountRefunded === charge.amount) {
    throw invalid(`Charge ${chargeId} is fully refunded and cannot be disputed.`, { param: 'charge' })
  }
  if (charge.disputeId) {
    throw invalid(`Charge ${chargeId} is disputed already.`, { code: 'charge_disputed', param: 'charge' })
  }
  const testClockId = clockOf(store, charge.customerId)
  const dispute = store.of('dispute').put({
    id: store.newId('dp'),
    created: store.now(testClockId),
    metadata: {},
    amount: charge.amount,
    currency: charge.currency,
    chargeId,
    paymentIntentId: charge.paymentIntentId,
    reason: 'fraudulent',
    status,
  })
  const after = store.of('charge').put({ ...charge, disputeId: dispute.id })
  store.emit('charge.dispute.created', toWireDispute(store, dispute), { testClockId })
  emitChargeChange(store, 'charge.updated', charge, after)
  if (holdsCharge(dispute)) {
    store.emit('charge.dispute.funds_withdrawn', toWireDispute(store, dispute), { testClockId })
  }
  return dispute
}

/** Decides a dispute. A won one returns the amount. */
export function closeDispute(store: Store, id: string, status: 'won' | 'lost'): DisputeRecord {
  const before = store.of('dispute').get(id)
  if (before.status === 'won' || before.status === 'lost') {
    throw invalid('This dispute is already closed.')
  }
  const dispute = store.of('dispute').put({ ...before, status })
  const testClockId = clockOf(store, store.of('charge').get(dispute.chargeId).customerId)
  const wire = toWireDispute(store, dispute)
  if (status === 'won') store.emit('charge.dispute.funds_reinstated', wire, { testClockId })
  store.emit('charge.dispute.closed', wire, { testClockId })
  return dispute
}

/** Returns whether the bank holds or kept the amount, so that it can't be refunded. */
export function holdsCharge({ status }: DisputeRecord): boolean {
  return status !== 'won' && status !== 'prevented' && !status.startsWith('warning_')
}

const path = '/disputes'

export const disputeEndpoints: Endpoint[] = [
  endpoint('GET', path, object(chargeFilters), ({ store, params }) =>
    listOf(store.of('dispute').list(matchesCharge(params)), params, `/v1${path}`, (dispute) =>
      toWireDispute(store, dispute),
    ),
  ),
  retrieve(path, 'dispute', toWireDispute),
]
