import { z } from 'zod'
import { listing } from '../../protocol/list.ts'
import {
  boolean,
  choice,
  emptyable,
  integerBetween,
  list,
  metadata,
  object,
  text,
  timestamp,
} from '../../protocol/params.ts'
import { type DiscountInput, discountChoice } from '../coupon/discount.ts'

/** Reads the items of a subscription: here each has exactly one. */
export function oneItem<Schema extends z.ZodType>(item: Schema) {
  return z.preprocess(valuesOf, z.tuple([item]))
}

function valuesOf(items: unknown): unknown {
  return typeof items === 'object' && items !== null ? Object.values(items) : items
}

export const prorationBehavior = choice('always_invoice', 'create_prorations', 'none')

const discounts = emptyable(list(discountChoice.extend({ discount: text.optional() })))

const quantity = integerBetween(1, 999_999).optional()

export const createSubscriptionParams = object({
  customer: text,
  default_payment_method: text.optional(),
  discounts: emptyable(list(discountChoice)).optional(),
  items: oneItem(object({ price: text, quantity })),
  metadata: metadata.optional(),
  payment_behavior: choice('allow_incomplete', 'default_incomplete').optional(),
  trial_period_days: integerBetween(1, 730).optional(),
})

/** The parameters that decide what a change bills. */
export const billedParams = {
  discounts: discounts.optional(),
  billing_cycle_anchor: object({ type: choice('now') }).optional(),
  /** A change of the one item, or a new one in its place. */
  items: z
    .preprocess(
      valuesOf,
      z.union([
        z.tuple([object({ id: text, price: text.optional(), quantity })]),
        z.tuple([object({ price: text, quantity }), object({ id: text, deleted: boolean })]),
      ]),
    )
    .optional(),
  proration_behavior: prorationBehavior.optional(),
  proration_date: timestamp.optional(),
  trial_end: choice('now').optional(),
}

export const updateSubscriptionParams = object({
  ...billedParams,
  cancel_at: emptyable(choice('max_period_end', 'min_period_end').or(timestamp)).optional(),
  cancel_at_period_end: boolean.optional(),
  default_payment_method: text.optional(),
  metadata: metadata.optional(),
  payment_behavior: choice('allow_incomplete', 'error_if_incomplete').optional(),
})

export const listSubscriptionsParams = object({
  ...listing,
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
    'trialing',
    'unpaid',
  ).optional(),
  test_clock: text.optional(),
})

type Billed = z.infer<ReturnType<typeof object<typeof billedParams>>>

/** Returns the part of a change that decides what is billed. */
export function billedChange({ items, discounts: wanted, ...params }: Billed) {
  const [item, replaced] = items ?? []
  const id = replaced ? replaced.id : item && 'id' in item ? item.id : ''
  return {
    item: item && { id, priceId: item.price, quantity: item.quantity, isNew: replaced !== undefined },
    beginsPeriod: params.billing_cycle_anchor !== undefined,
    endsTrial: params.trial_end === 'now' ? true : undefined,
    prorationBehavior: params.proration_behavior,
    prorationDate: params.proration_date,
    discounts:
      wanted?.map(
        ({ coupon, discount, promotion_code: code }): DiscountInput =>
          discount ? { discountId: discount } : { couponId: coupon ?? null, promotionCodeId: code ?? null },
      ) ?? (wanted === null ? null : undefined),
  }
}
