import { type CreatedRange, isWithin, listing } from '../../protocol/list.ts'
import { text } from '../../protocol/params.ts'
import type { DisputeRecord, RefundRecord } from '../payment-intent/payment.record.ts'

/** Refunds and disputes are listed by the charge or the payment that they are about; spread into the list's object. */
export const chargeFilters = { ...listing, charge: text.optional(), payment_intent: text.optional() }

type Wanted = {
  charge?: string | undefined
  payment_intent?: string | undefined
  created?: CreatedRange | undefined
}

/** Whether a refund or a dispute is one of those that were asked for. */
export function matchesCharge({
  charge,
  payment_intent: intentId,
  created,
}: Wanted): (one: RefundRecord | DisputeRecord) => boolean {
  return (one) =>
    (charge === undefined || one.chargeId === charge) &&
    (intentId === undefined || one.paymentIntentId === intentId) &&
    isWithin(created, one.created)
}
