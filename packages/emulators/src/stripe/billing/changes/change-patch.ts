import { invalid } from '../../protocol/errors.ts'
import { changeMetadata } from '../../protocol/metadata.ts'
import { given } from '../../protocol/params.ts'
import type { DiscountRecord } from '../../records/catalogue.ts'
import type { Metadata } from '../../records/common.ts'
import type { SubscriptionRecord } from '../../records/subscription.ts'
import type { World } from '../../world/world.ts'
import { requireOwnCard } from '../cards/paying-card.ts'
import { type DiscountWish, discountsOf } from '../standing/discount-wishes.ts'
import type { BillingChange, ChangePlan } from './planning.ts'

type PaymentBehaviour =
  | 'allow_incomplete'
  | 'default_incomplete'
  | 'error_if_incomplete'
  | 'pending_if_incomplete'

/** What a subscription can be changed to; what is left out stays. Null unsets. */
export type SubscriptionChange = BillingChange & {
  paymentBehavior?: PaymentBehaviour | undefined
  cancelAtPeriodEnd?: boolean | undefined
  cancelAt?: number | 'min_period_end' | 'max_period_end' | null | undefined
  cancellation?: { comment?: string | null | undefined; feedback?: string | null | undefined } | undefined
  discounts?: DiscountWish[] | null | undefined
  defaultPaymentMethodId?: string | null | undefined
  metadata?: Metadata | null | undefined
  description?: string | null | undefined
  pauseCollection?: SubscriptionRecord['pauseCollection'] | undefined
  trialEndBehaviour?: SubscriptionRecord['trialEndBehaviour'] | undefined
  savesDefaultPaymentMethod?: boolean | undefined
}

/** What a change sets besides what is billed. Throws for a card of somebody else's. */
export function plainPatch(
  world: World,
  before: SubscriptionRecord,
  change: SubscriptionChange,
): Partial<SubscriptionRecord> {
  const { defaultPaymentMethodId: cardId, cancellation = {} } = change
  if (cardId) requireOwnCard(world, cardId, before.customerId, 'default_payment_method')
  return {
    metadata: changeMetadata(before.metadata, change.metadata),
    description: given(change.description, before.description),
    defaultPaymentMethodId: given(cardId, before.defaultPaymentMethodId),
    pauseCollection: given(change.pauseCollection, before.pauseCollection),
    trialEndBehaviour: given(change.trialEndBehaviour, before.trialEndBehaviour),
    savesDefaultPaymentMethod: given(change.savesDefaultPaymentMethod, before.savesDefaultPaymentMethod),
    cancellation: {
      ...before.cancellation,
      comment: given(cancellation.comment, before.cancellation.comment),
      feedback: given(cancellation.feedback, before.cancellation.feedback),
    },
  }
}

/** When the subscription is to end: at the period's end, at a moment, or not any more. */
export function cancellationPatch(
  before: SubscriptionRecord,
  { items }: Pick<ChangePlan, 'items'>,
  { cancelAtPeriodEnd, cancelAt, cancellation }: SubscriptionChange,
  now: number,
): Partial<SubscriptionRecord> {
  const said = {
    comment: cancellation?.comment ?? before.cancellation.comment,
    feedback: cancellation?.feedback ?? before.cancellation.feedback,
  }
  const ending = (at: number, isAtPeriodEnd: boolean) => ({
    cancelAtPeriodEnd: isAtPeriodEnd,
    cancelAt: at,
    canceledAt: before.canceledAt ?? now,
    cancellation: { ...said, reason: 'cancellation_requested' },
  })
  const ends = items.map(({ currentPeriodEnd }) => currentPeriodEnd)
  if (cancelAtPeriodEnd === true) return ending(Math.max(...ends), true)
  if (cancelAt === 'min_period_end') return ending(Math.min(...ends), false)
  if (cancelAt === 'max_period_end') return ending(Math.max(...ends), false)
  if (typeof cancelAt === 'number') {
    if (cancelAt > now) return ending(cancelAt, false)
    throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', {
      param: 'cancel_at',
    })
  }
  const isTakenBack = cancelAtPeriodEnd === false || cancelAt === null
  if (!isTakenBack) {
    // A period that ends at another time than before moves an end that was bound to it.
    return before.cancelAtPeriodEnd ? { cancelAt: Math.max(...ends) } : {}
  }
  return {
    cancelAtPeriodEnd: false,
    cancelAt: null,
    canceledAt: null,
    cancellation: { comment: null, feedback: null, reason: null },
  }
}

/** The discounts with a change. With `isPreview` none is redeemed. */
export function discountsAfter(
  world: World,
  before: SubscriptionRecord,
  { discounts }: SubscriptionChange,
  { isPreview = false }: { isPreview?: boolean } = {},
): DiscountRecord[] {
  if (discounts === undefined) return before.discounts
  return discountsOf(world, discounts ?? [], {
    current: before.discounts,
    customerId: before.customerId,
    priceIds: before.items.map(({ priceId }) => priceId),
    testClockId: before.testClockId,
    isPreview,
  })
}

/** Throws when a subscription that is over, or was never paid for, cannot be changed so. */
export function refuseEnded({ status }: SubscriptionRecord, change: SubscriptionChange): void {
  const { metadata: _metadata, cancellation: _cancellation, ...rest } = change
  const isMore = Object.values(rest).some((value) => value !== undefined)
  if (status === 'canceled' && isMore) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
  }
  if (status === 'incomplete_expired' && isMore) {
    throw invalid('This subscription has expired and cannot be updated.')
  }
  const isBilled = change.items !== undefined || change.trialEnd !== undefined
  if (status === 'incomplete' && isBilled) {
    throw invalid('This subscription cannot be changed before its first invoice has been paid.')
  }
}

/** A change that waits for its payment can change what is billed, and nothing else. */
export function refuseUnbilled(change: SubscriptionChange): void {
  const unbilled = [
    change.cancelAtPeriodEnd,
    change.cancelAt,
    change.cancellation,
    change.defaultPaymentMethodId,
    change.metadata,
    change.description,
    change.pauseCollection,
    change.trialEndBehaviour,
    change.savesDefaultPaymentMethod,
  ]
  if (unbilled.every((value) => value === undefined)) return
  throw invalid('You cannot set these parameters with `payment_behavior` = `pending_if_incomplete`.', {
    param: 'payment_behavior',
  })
}
