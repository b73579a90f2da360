import { invalid } from '../../protocol/errors.ts'
import { changeMetadata } from '../../protocol/metadata.ts'
import { given } from '../../protocol/params.ts'
import type { Metadata } from '../../store/common.ts'
import type { Store } from '../../store/store.ts'
import { type DiscountInput, discountsOf } from '../coupon/discount-wishes.ts'
import { requireOwnCard } from '../payment-method/payment-method.ts'
import type { DiscountRecord } from '../product/catalogue.record.ts'
import type { BillingChange, ChangePlan } from './plan-change.ts'
import type { SubscriptionRecord } from './subscription.record.ts'

/** What a subscription can be changed to; what is left out stays. Null unsets. */
export type SubscriptionChange = BillingChange & {
  paymentBehavior?: 'allow_incomplete' | 'error_if_incomplete' | undefined
  cancelAtPeriodEnd?: boolean | undefined
  cancelAt?: number | 'min_period_end' | 'max_period_end' | null | undefined
  discounts?: DiscountInput[] | null | undefined
  defaultPaymentMethodId?: string | undefined
  metadata?: Metadata | null | undefined
}

/** Returns what a change sets besides what is billed. Throws for a card that another customer owns. */
export function plainPatch(
  store: Store,
  before: SubscriptionRecord,
  { defaultPaymentMethodId: cardId, metadata }: SubscriptionChange,
): Partial<SubscriptionRecord> {
  if (cardId) requireOwnCard(store, cardId, before.customerId, 'default_payment_method')
  return {
    metadata: changeMetadata(before.metadata, metadata),
    defaultPaymentMethodId: given(cardId, before.defaultPaymentMethodId),
  }
}

/** Returns when the subscription is to end: at the period's end, at a moment, or no longer. */
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
  // A period that ends at another time than before moves an end that was bound to it.
  return before.cancelAtPeriodEnd ? { cancelAt: currentPeriodEnd } : {}
}

/** Returns the discounts with a change. With `isPreview` none is redeemed. */
export function discountsAfter(
  store: Store,
  before: SubscriptionRecord,
  { discounts }: SubscriptionChange,
  { isPreview = false }: { isPreview?: boolean } = {},
): DiscountRecord[] {
  if (discounts === undefined) return before.discounts
  return discountsOf(store, discounts ?? [], before, { isPreview })
}

/** Throws when a subscription that has ended, or was never paid for, cannot be changed so. */
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
