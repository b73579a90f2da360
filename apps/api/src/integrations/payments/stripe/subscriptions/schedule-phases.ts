import type Stripe from 'stripe'
import { idOf } from '../client/client.ts'

type Phase = Stripe.SubscriptionSchedule.Phase
type PhaseItem = Stripe.SubscriptionSchedule.Phase.Item
type PhaseDiscount =
  | Stripe.SubscriptionSchedule.Phase.Discount
  | Stripe.SubscriptionSchedule.Phase.Item.Discount

/** Returns the phase that has begun. */
export function currentPhaseOf({ id, phases, current_phase: now }: Stripe.SubscriptionSchedule): Phase {
  const phase = phases.find(({ start_date: start }) => start === now?.start_date)
  if (!phase) throw new Error(`The schedule ${id} has no current phase`)
  return phase
}

/** Returns a phase as an update names it, so that nothing that it charges changes. */
export function keptPhase(phase: Phase) {
  const { start_date, end_date, proration_behavior, trial_end, billing_cycle_anchor, metadata } = phase
  const rates = (phase.default_tax_rates ?? []).map(idOf)
  return {
    start_date,
    end_date,
    proration_behavior,
    items: phase.items.map(keptItem),
    discounts: discountsOfPhase(phase),
    ...(trial_end !== null && { trial_end }),
    ...(billing_cycle_anchor !== null && { billing_cycle_anchor }),
    ...(rates.length > 0 && { default_tax_rates: rates }),
    ...metadataOf(metadata),
  }
}

/** An item of a phase that isn't named with its discounts and tax rates loses them. */
export function keptItem({ price, quantity = 1, discounts, tax_rates, metadata }: PhaseItem) {
  const kept = (discounts ?? []).map(toDiscount)
  const rates = (tax_rates ?? []).map(idOf)
  return {
    price: idOf(price),
    quantity,
    ...(kept.length > 0 && { discounts: kept }),
    ...(rates.length > 0 && { tax_rates: rates }),
    ...metadataOf(metadata),
  }
}

/** Stripe returns null for none, although its types promise a list. */
export function discountsOfPhase({ discounts }: Phase) {
  return (discounts ?? []).map(toDiscount)
}

/** A discount that is named keeps its start and end; a coupon begins a new one. */
function toDiscount({ discount, promotion_code: code, coupon }: PhaseDiscount) {
  if (discount) return { discount: idOf(discount) }
  if (code) return { promotion_code: idOf(code) }
  return coupon ? { coupon: idOf(coupon) } : {}
}

/** Returns metadata to send; nothing for none. */
export function metadataOf(metadata: Stripe.Metadata | null) {
  return metadata === null || Object.keys(metadata).length === 0 ? {} : { metadata }
}
