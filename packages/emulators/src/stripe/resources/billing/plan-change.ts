import { invalid } from '../../protocol/errors.ts'
import { changeMetadata, given, type Metadata } from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import { billedDiscounts } from '../customers/customer-discount.ts'
import { requireOwnCard } from '../customers/payment-method.ts'
import { type DiscountInput, type DiscountRecord, discountsOf } from '../products/discount.ts'
import { nextPeriodEnd } from '../products/periods.ts'
import { isSameInterval, recurringOf, requirePrice, requireSameCurrency } from '../products/price.ts'
import type { InvoiceLineRecord } from './invoice.ts'
import { creditLine, periodLine, remainderLine } from './invoice-lines.ts'
import type { SubscriptionItemRecord, SubscriptionRecord } from './subscription.ts'

type ProrationBehavior = 'always_invoice' | 'create_prorations' | 'none'

/** The parts of a change that decide what is billed. */
type BillingChange = {
  /** `isNew` replaces the item with that id. */
  item?:
    | {
        id: string
        priceId?: string | undefined
        quantity?: number | undefined
        isNew?: boolean
        discounts?: DiscountInput[] | null | undefined
      }
    | undefined
  prorationBehavior?: ProrationBehavior | undefined
  prorationDate?: number | undefined
  endsTrial?: boolean | undefined
  beginsPeriod?: boolean | undefined
}

/** The result of a change. */
type ChangePlan = Pick<SubscriptionRecord, 'item' | 'billingCycleAnchor' | 'status' | 'trialEnd'> & {
  /** The lines to invoice now; undefined for none. */
  lines: InvoiceLineRecord[] | undefined
}

/** Returns the result of a change without making it. Throws for an invalid item. */
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
  const changed = { ...item, priceId: given(priceId, item.priceId), quantity: given(quantity, item.quantity) }
  if (change.isNew) return { ...changed, id: store.newId('si'), discounts: [] }
  if (change.discounts === undefined) return changed
  // Previews change items too, so that redemptions of coupons for items aren't counted.
  const owner = { ...subscription, discounts: item.discounts ?? [] }
  return { ...changed, discounts: discountsOf(store, change.discounts ?? [], owner, { isPreview: true }) }
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

/** A change of a subscription. Omitted fields stay; null unsets. */
export type SubscriptionChange = BillingChange & {
  paymentBehavior?: 'allow_incomplete' | 'error_if_incomplete' | undefined
  cancelAtPeriodEnd?: boolean | undefined
  cancelAt?: number | 'min_period_end' | 'max_period_end' | null | undefined
  discounts?: DiscountInput[] | null | undefined
  defaultPaymentMethodId?: string | null | undefined
  pausedCollection?: SubscriptionRecord['pausedCollection'] | undefined
  metadata?: Metadata | null | undefined
}

/** Returns the changes that bill nothing. Throws for another customer's card. */
export function plainPatch(
  store: Store,
  before: SubscriptionRecord,
  { defaultPaymentMethodId: cardId, pausedCollection, metadata }: SubscriptionChange,
): Partial<SubscriptionRecord> {
  if (cardId) requireOwnCard(store, cardId, before.customerId, 'default_payment_method')
  return {
    metadata: changeMetadata(before.metadata, metadata),
    defaultPaymentMethodId: given(cardId, before.defaultPaymentMethodId),
    pausedCollection: given(pausedCollection, before.pausedCollection ?? null),
  }
}

/** Returns the changed cancellation: at the period's end, at a time, or none. */
export function cancellationPatch(
  before: SubscriptionRecord,
  { item: { currentPeriodEnd } }: Pick<ChangePlan, 'item'>,
  { cancelAtPeriodEnd, cancelAt }: SubscriptionChange,
  now: number,
): Partial<SubscriptionRecord> {
  const ending = (at: number, isAtPeriodEnd: boolean) => ({
    cancelAtPeriodEnd: isAtPeriodEnd,
    cancelAt: at,
    canceledAt: before.canceledAt ?? now,
    cancellationReason: 'cancellation_requested' as const,
  })
  if (cancelAtPeriodEnd === true) return ending(currentPeriodEnd, true)
  if (cancelAt === 'min_period_end' || cancelAt === 'max_period_end') return ending(currentPeriodEnd, false)
  if (typeof cancelAt === 'number') {
    if (cancelAt > now) return ending(cancelAt, false)
    throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', {
      param: 'cancel_at',
    })
  }
  if (cancelAtPeriodEnd === false || cancelAt === null) {
    return { cancelAtPeriodEnd: false, cancelAt: null, canceledAt: null, cancellationReason: null }
  }
  // A cancellation at the period's end moves with the period.
  return before.cancelAtPeriodEnd ? { cancelAt: currentPeriodEnd } : {}
}

/** Returns the discounts after a change. A preview redeems none. */
export function discountsAfter(
  store: Store,
  before: SubscriptionRecord,
  { discounts }: SubscriptionChange,
  { isPreview = false }: { isPreview?: boolean } = {},
): DiscountRecord[] {
  if (discounts === undefined) return isPreview ? billedDiscounts(store, before) : before.discounts
  // A discount of the customer can be named, too.
  const named = { ...before, discounts: billedDiscounts(store, before) }
  return discountsOf(store, discounts ?? [], isPreview ? named : before, { isPreview })
}

/** Throws when the subscription's status does not allow the change. */
export function requireChangeable({ status }: SubscriptionRecord, change: SubscriptionChange): void {
  const { metadata: _metadata, ...rest } = change
  const isMore = Object.values(rest).some((value) => value !== undefined)
  if (status === 'canceled' && isMore) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
  }
  if (status === 'incomplete_expired' && isMore) {
    throw invalid('This subscription has expired and cannot be updated.')
  }
  if (status === 'incomplete' && change.item !== undefined) {
    throw invalid('This subscription cannot be changed before its first invoice has been paid.')
  }
}
