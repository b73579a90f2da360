import { type Endpoint, endpoint, retrieve } from '../../endpoints/endpoint.ts'
import { invalid } from '../../protocol/errors.ts'
import { listOf } from '../../protocol/list.ts'
import {
  choice,
  integerBetween,
  type Metadata,
  metadata,
  newMetadata,
  object,
  text,
} from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import { clockOf } from '../customers/customer.ts'
import { chargeFilters, emitChargeChange, matchesCharge } from './charge.ts'
import { holdsCharge } from './dispute.ts'
import { type RefundRecord, toWireRefund } from './refund.ts'

/** Refunds a charge, or `amount` of it (minor units). Throws when less is left, or the charge is disputed. */
function refundCharge(
  store: Store,
  chargeId: string,
  {
    amount,
    reason = null,
    metadata = {},
  }: { amount?: number | undefined; reason?: RefundRecord['reason']; metadata?: Metadata } = {},
): RefundRecord {
  const charge = store.of('charge').get(chargeId, 'charge')
  const left = charge.amount - charge.amountRefunded
  if (charge.status !== 'succeeded')
    throw invalid(`Charge ${chargeId} has not been captured.`, { param: 'charge' })
  const dispute = charge.disputeId ? store.of('dispute').get(charge.disputeId) : undefined
  if (dispute && holdsCharge(dispute)) {
    throw invalid(`Charge ${chargeId} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
      param: 'charge',
    })
  }
  if (left === 0) {
    throw invalid(`Charge ${chargeId} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  const given = amount ?? left
  if (given > left) {
    const text = `Refund amount (${given}) is greater than unrefunded amount on charge (${left})`
    throw invalid(text, { param: 'amount' })
  }
  const testClockId = clockOf(store, charge.customerId)
  const refund = store.of('refund').put({
    id: store.newId('re'),
    created: store.now(testClockId),
    metadata,
    amount: given,
    currency: charge.currency,
    chargeId,
    paymentIntentId: charge.paymentIntentId,
    reason,
    status: 'succeeded',
  })
  const after = store.of('charge').put({ ...charge, amountRefunded: charge.amountRefunded + given })
  emitChargeChange(store, 'charge.refunded', charge, after)
  const wire = toWireRefund(store, refund)
  store.emit('refund.created', wire, { testClockId })
  store.emit('charge.refund.updated', wire, { testClockId })
  return refund
}

/** Fails a succeeded refund, as a bank does. The amount counts as charged again. */
export function failRefund(store: Store, id: string): RefundRecord {
  const before = store.of('refund').get(id)
  if (before.status !== 'succeeded') throw invalid(`Refund ${id} has not succeeded.`)
  const refund = store.of('refund').put({ ...before, status: 'failed' })
  const charge = store.of('charge').get(refund.chargeId)
  store.of('charge').put({ ...charge, amountRefunded: charge.amountRefunded - refund.amount })
  const testClockId = clockOf(store, charge.customerId)
  for (const type of ['refund.updated', 'charge.refund.updated', 'refund.failed'])
    store.emit(type, toWireRefund(store, refund), { testClockId })
  return refund
}

const path = '/refunds'

export const refundEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    path,
    object({
      amount: integerBetween(1).optional(),
      charge: text.optional(),
      metadata: metadata.optional(),
      payment_intent: text.optional(),
      reason: choice('duplicate', 'fraudulent', 'requested_by_customer').optional(),
    }),
    ({ store, params }) => {
      const refund = refundCharge(store, chargeIdOf(store, params), {
        amount: params.amount,
        reason: params.reason ?? null,
        metadata: newMetadata(params.metadata),
      })
      return toWireRefund(store, refund)
    },
  ),
  endpoint('GET', path, object(chargeFilters), ({ store, params }) =>
    listOf(store.of('refund').list(matchesCharge(params)), params, `/v1${path}`, (refund) =>
      toWireRefund(store, refund),
    ),
  ),
  retrieve(path, 'refund', toWireRefund),
]

type Charged = { charge?: string | undefined; payment_intent?: string | undefined }

function chargeIdOf(store: Store, { charge, payment_intent: intentId }: Charged): string {
  if (charge !== undefined && intentId !== undefined) {
    throw invalid('You may only specify one of these parameters: charge, payment_intent.', {
      param: 'charge',
    })
  }
  if (charge !== undefined) return charge
  if (intentId === undefined) {
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
      { code: 'parameter_missing' },
    )
  }
  const { latestChargeId, status } = store.of('paymentIntent').get(intentId, 'payment_intent')
  if (status === 'succeeded' && latestChargeId) return latestChargeId
  throw invalid(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, {
    param: 'payment_intent',
  })
}
