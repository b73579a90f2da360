import { invalid } from '../../protocol/errors.ts'
import { given } from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import type { InvoiceLineRecord } from '../invoice/invoice.record.ts'
import { creditLine, remainderLine } from '../invoice/invoice-lines.ts'
import { periodLine } from '../invoice/lines.ts'
import { nextPeriodEnd } from '../price/periods.ts'
import { isSameInterval, recurringOf, requirePrice, requireSameCurrency } from '../price/price-rules.ts'
import type { SubscriptionItemRecord, SubscriptionRecord } from './subscription.record.ts'

export type ProrationBehavior = 'always_invoice' | 'create_prorations' | 'none'

/** The parts of a change that decide what is billed. */
export type BillingChange = {
  /** `isNew`: in the place of the one with that id. */
  item?:
    | { id: string; priceId?: string | undefined; quantity?: number | undefined; isNew?: boolean }
    | undefined
  prorationBehavior?: ProrationBehavior | undefined
  prorationDate?: number | undefined
  endsTrial?: boolean | undefined
  beginsPeriod?: boolean | undefined
}

/** What a change makes of a subscription and of its bills. */
export type ChangePlan = Pick<SubscriptionRecord, 'item' | 'billingCycleAnchor' | 'status' | 'trialEnd'> & {
  /** What is invoiced with the change; undefined when nothing is. */
  lines: InvoiceLineRecord[] | undefined
}

/** Works a change out without making it. Throws what Stripe throws for an item that does not fit. */
export function planChange(
  store: Store,
  subscription: SubscriptionRecord,
  change: BillingChange,
): ChangePlan {
  const { billingCycleAnchor, status, trialEnd } = subscription
  const now = store.now(subscription.testClockId)
  const at = prorationDateOf(subscription, change, now)
  const item = changedItem(store, subscription, change)
  const behavior = change.prorationBehavior ?? 'create_prorations'
  const unbilled = { item, billingCycleAnchor, status, trialEnd, lines: undefined }
  const isTrialing = status === 'trialing'
  if (isTrialing && !change.endsTrial) return unbilled
  const isProrated = behavior !== 'none' && !isTrialing
  const credit = isProrated ? creditLine(store, subscription, subscription.item, at) : undefined
  const credits = credit ? [credit] : []

  if (isTrialing || change.beginsPeriod || !isSameInterval(store, item.priceId, subscription.item.priceId)) {
    const end = nextPeriodEnd(now, now, recurringOf(store, item.priceId))
    const begun = { ...item, currentPeriodStart: now, currentPeriodEnd: end }
    const ended = isTrialing ? { status: 'active' as const, trialEnd: now } : {}
    const lines = [...credits, periodLine(store, subscription, begun)]
    return { ...unbilled, ...ended, item: begun, billingCycleAnchor: now, lines }
  }
  const { priceId, quantity } = subscription.item
  if (!isProrated || (item.priceId === priceId && item.quantity === quantity)) return unbilled
  if (behavior === 'create_prorations') {
    throw invalid('This emulator keeps no prorations for a later invoice: use `always_invoice` or `none`.', {
      param: 'proration_behavior',
    })
  }
  return { ...unbilled, lines: [...credits, remainderLine(store, subscription, item, at)] }
}

function changedItem(
  store: Store,
  subscription: SubscriptionRecord,
  { item: change }: BillingChange,
): SubscriptionItemRecord {
  const { item } = subscription
  if (!change) return item
  if (change.id !== item.id) {
    const details = { code: 'resource_missing', param: 'items[0][id]' }
    throw invalid(`No such subscription_item: '${change.id}'`, details)
  }
  const { priceId, quantity } = change
  if (priceId !== undefined) {
    const price = requirePrice(store, priceId, 'items[0][price]', [item.priceId])
    requireSameCurrency(store, subscription, price, 'items[0][price]')
  }
  const id = change.isNew ? store.newId('si') : item.id
  return { ...item, id, priceId: given(priceId, item.priceId), quantity: given(quantity, item.quantity) }
}

function prorationDateOf(
  { item: { currentPeriodStart, currentPeriodEnd } }: SubscriptionRecord,
  { prorationDate }: BillingChange,
  now: number,
): number {
  if (prorationDate === undefined) return now
  if (prorationDate >= currentPeriodStart && prorationDate <= currentPeriodEnd) return prorationDate
  throw invalid(
    'Invalid value for `proration_date`: it must be within the current period of the subscription.',
    { param: 'proration_date' },
  )
}
