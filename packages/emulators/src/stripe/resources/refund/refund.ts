import { invalid } from '../../protocol/errors.ts'
import type { Metadata } from '../../store/common.ts'
import { emitChange } from '../../store/emit-change.ts'
import type { Store } from '../../store/store.ts'
import { toWireCharge, toWireDispute, toWireRefund } from '../charge/charge.ts'
import type { ChargeRecord, DisputeRecord, RefundRecord } from '../payment-intent/payment.record.ts'
import { clockOf } from '../payment-intent/payment-intent.ts'

/** Gives back a charge, or `amount` of it (minor units). Throws when there is not so much left, or it is disputed. */
export function refundCharge(
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

/** A bank sends a refund back, days after it succeeded: the money is the merchant's again. */
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

/** The cardholder's bank takes a charge back until it is decided; an inquiry (`warning_…`) takes nothing. */
export function openDispute(
  store: Store,
  chargeId: string,
  {
    amount,
    reason = 'fraudulent',
    status = 'needs_response',
  }: { amount?: number | undefined; reason?: string | undefined; status?: string | undefined } = {},
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
    amount: amount ?? charge.amount,
    currency: charge.currency,
    chargeId,
    paymentIntentId: charge.paymentIntentId,
    reason,
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

/** A dispute is decided. One that was won gives the money back to the catalog. */
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

/** What the bank has or has kept is not the catalog's to give back. */
function holdsCharge({ status }: DisputeRecord): boolean {
  return status !== 'won' && status !== 'prevented' && !status.startsWith('warning_')
}

function emitChargeChange(store: Store, type: string, before: ChargeRecord, after: ChargeRecord) {
  const [earlier, now] = [toWireCharge(store, before), toWireCharge(store, after)]
  emitChange(store, type, earlier, now, clockOf(store, after.customerId))
}
