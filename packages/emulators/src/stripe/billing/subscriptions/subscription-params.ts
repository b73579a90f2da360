import type { z } from 'zod'
import { createdRange, listing } from '../../protocol/list.ts'
import { metadata, newMetadata } from '../../protocol/metadata.ts'
import {
  boolean,
  choice,
  currency,
  emptyable,
  integerBetween,
  list,
  object,
  text,
  timestamp,
} from '../../protocol/params.ts'
import type { ItemChange } from '../changes/changed-items.ts'
import type { DiscountWish } from '../standing/discount-wishes.ts'

export const prorationBehavior = choice('always_invoice', 'create_prorations', 'none')

export const paymentBehavior = choice(
  'allow_incomplete',
  'default_incomplete',
  'error_if_incomplete',
  'pending_if_incomplete',
)

export const billingCycleAnchor = object({ type: choice('now', 'unchanged') })

export const discounts = emptyable(
  list(object({ coupon: text.optional(), discount: text.optional(), promotion_code: text.optional() })),
)

export const trialEnd = choice('now').or(timestamp)

export const cancellationReason = choice(
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
)

export const cancellationDetails = object({
  comment: emptyable(text).optional(),
  feedback: emptyable(cancellationReason).optional(),
})

const quantity = integerBetween(0, 999_999).optional()

const itemMetadata = metadata.optional()

/** What every subscription can be told, new or not. */
const shared = {
  automatic_tax: object({ enabled: boolean }).optional(),
  cancel_at_period_end: boolean.optional(),
  collection_method: choice('charge_automatically').optional(),
  default_payment_method: text.optional(),
  discounts: discounts.optional(),
  metadata: metadata.optional(),
  off_session: boolean.optional(),
  payment_settings: object({
    payment_method_types: emptyable(list(choice('card'))).optional(),
    save_default_payment_method: choice('off', 'on_subscription').optional(),
  }).optional(),
  proration_behavior: prorationBehavior.optional(),
  trial_end: trialEnd.optional(),
  trial_from_plan: boolean.optional(),
  trial_settings: object({
    end_behavior: object({ missing_payment_method: choice('cancel', 'create_invoice', 'pause').optional() }),
  }).optional(),
}

export const createSubscriptionParams = object({
  ...shared,
  add_invoice_items: list(object({ price: text, quantity })).optional(),
  billing_mode: object({ type: choice('flexible') }).optional(),
  cancel_at: timestamp.optional(),
  currency: currency.optional(),
  customer: text,
  description: text.optional(),
  items: list(object({ metadata: itemMetadata, price: text, quantity })),
  payment_behavior: choice('allow_incomplete', 'default_incomplete', 'error_if_incomplete').optional(),
  trial_period_days: integerBetween(1, 730).optional(),
})

/** An item as updates and previews name it. */
export const changedItem = object({
  clear_usage: boolean.optional(),
  deleted: boolean.optional(),
  id: text.optional(),
  metadata: itemMetadata,
  price: text.optional(),
  quantity,
})

export const updateSubscriptionParams = object({
  ...shared,
  billing_cycle_anchor: billingCycleAnchor.optional(),
  cancel_at: emptyable(choice('max_period_end', 'min_period_end').or(timestamp)).optional(),
  cancellation_details: cancellationDetails.optional(),
  description: emptyable(text).optional(),
  items: list(changedItem).optional(),
  payment_behavior: paymentBehavior.optional(),
  pause_collection: emptyable(
    object({
      behavior: choice('keep_as_draft', 'mark_uncollectible', 'void'),
      resumes_at: timestamp.optional(),
    }),
  ).optional(),
  proration_date: timestamp.optional(),
})

export const listSubscriptionsParams = object({
  ...listing,
  collection_method: choice('charge_automatically', 'send_invoice').optional(),
  current_period_end: createdRange.optional(),
  current_period_start: createdRange.optional(),
  customer: text.optional(),
  price: text.optional(),
  status: choice(
    'active',
    'all',
    'canceled',
    'ended',
    'incomplete',
    'incomplete_expired',
    'past_due',
    'paused',
    'trialing',
    'unpaid',
  ).optional(),
  test_clock: text.optional(),
})

/** Items of a form as changes. */
export function itemChangesOf(items: z.infer<typeof changedItem>[] | undefined): ItemChange[] | undefined {
  return items?.map(({ id, price, quantity: count, deleted, metadata: pairs }) => ({
    itemId: id,
    priceId: price,
    quantity: count,
    isDeleted: deleted,
    metadata: pairs ? newMetadata(pairs) : undefined,
  }))
}

/** Discounts of a form as wishes; null takes all of them away. */
export function discountWishes(
  wanted: z.infer<typeof discounts> | undefined,
): DiscountWish[] | null | undefined {
  if (!wanted) return wanted
  return wanted.map(({ coupon, discount, promotion_code: code }) =>
    discount ? { discountId: discount } : { couponId: coupon ?? null, promotionCodeId: code ?? null },
  )
}
