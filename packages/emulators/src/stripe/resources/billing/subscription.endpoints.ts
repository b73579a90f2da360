import { z } from 'zod'
import { type Endpoint, endpoint, recordsOf, retrieve } from '../../endpoints/endpoint.ts'
import { invalid } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import {
  boolean,
  choice,
  emptyable,
  integerBetween,
  list,
  metadata,
  newMetadata,
  object,
  text,
  timestamp,
} from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import { type DiscountInput, discountChoice, discountInput } from '../products/discount.ts'
import { changeSubscription } from './change-subscription.ts'
import { startSubscription } from './start-subscription.ts'
import { type SubscriptionRecord, toWireSubscription } from './subscription.ts'
import { cancelSubscription } from './subscription-status.ts'

/** Reads the items of a subscription. The emulator supports exactly one. */
export function oneItem<Schema extends z.ZodType>(item: Schema) {
  return z.preprocess(valuesOf, z.tuple([item]))
}

function valuesOf(items: unknown): unknown {
  return typeof items === 'object' && items !== null ? Object.values(items) : items
}

export const prorationBehavior = choice('always_invoice', 'create_prorations', 'none')

const discounts = emptyable(list(discountInput))
const quantity = integerBetween(1, 999_999).optional()

const createSubscriptionParams = object({
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
  /** A change of the item, or a new item in its place. */
  items: z
    .preprocess(
      valuesOf,
      z.union([
        z.tuple([object({ id: text, price: text.optional(), quantity, discounts: discounts.optional() })]),
        z.tuple([object({ price: text, quantity }), object({ id: text, deleted: boolean })]),
      ]),
    )
    .optional(),
  proration_behavior: prorationBehavior.optional(),
  proration_date: timestamp.optional(),
  trial_end: choice('now').optional(),
}

const updateSubscriptionParams = object({
  ...billedParams,
  cancel_at: emptyable(choice('max_period_end', 'min_period_end').or(timestamp)).optional(),
  cancel_at_period_end: boolean.optional(),
  default_payment_method: emptyable(text).optional(),
  metadata: metadata.optional(),
  pause_collection: emptyable(
    object({ behavior: choice('keep_as_draft'), resumes_at: timestamp.optional() }),
  ).optional(),
  payment_behavior: choice('allow_incomplete', 'error_if_incomplete').optional(),
})

const listSubscriptionsParams = object({
  ...pagination,
  customer: text.optional(),
  status: choice(
    'active',
    'all',
    'canceled',
    'incomplete',
    'incomplete_expired',
    'past_due',
    'trialing',
    'unpaid',
  ).optional(),
  test_clock: text.optional(),
})

type Billed = z.infer<ReturnType<typeof object<typeof billedParams>>>

export function billedChange({ items, discounts: wanted, ...params }: Billed) {
  const [item, replaced] = items ?? []
  const id = replaced ? replaced.id : item && 'id' in item ? item.id : ''
  return {
    item: item && {
      id,
      priceId: item.price,
      quantity: item.quantity,
      isNew: replaced !== undefined,
      discounts: 'id' in item ? discountInputsOf(item.discounts) : undefined,
    },
    beginsPeriod: params.billing_cycle_anchor !== undefined,
    endsTrial: params.trial_end === 'now' ? true : undefined,
    prorationBehavior: params.proration_behavior,
    prorationDate: params.proration_date,
    discounts: discountInputsOf(wanted),
  }
}

function discountInputsOf(
  inputs: z.infer<typeof discountInput>[] | null | undefined,
): DiscountInput[] | null | undefined {
  return (
    inputs?.map(({ coupon, discount, promotion_code: code }) =>
      discount ? { discountId: discount } : { couponId: coupon ?? null, promotionCodeId: code ?? null },
    ) ?? (inputs === null ? null : undefined)
  )
}

const path = '/subscriptions'

export const subscriptionEndpoints: Endpoint[] = [
  endpoint('POST', path, createSubscriptionParams, ({ store, params }) => {
    const [{ price, quantity }] = params.items
    const subscription = startSubscription(store, {
      customerId: params.customer,
      priceId: price,
      quantity,
      discounts: (params.discounts ?? []).map(({ coupon, promotion_code: code }) => ({
        couponId: coupon ?? null,
        promotionCodeId: code ?? null,
      })),
      trialPeriodDays: params.trial_period_days,
      metadata: newMetadata(params.metadata),
      defaultPaymentMethodId: params.default_payment_method,
      isPaidLater: params.payment_behavior === 'default_incomplete',
    })
    return toWireSubscription(store, subscription)
  }),
  endpoint('GET', path, listSubscriptionsParams, ({ store, params }) =>
    listOf(wantedSubscriptions(store, params), params, `/v1${path}`, (one) => toWireSubscription(store, one)),
  ),
  retrieve(path, 'subscription', toWireSubscription),
  endpoint('POST', `${path}/:id`, updateSubscriptionParams, ({ store, params, id }) => {
    requireUnscheduled(store.of('subscription').get(id), params)
    const subscription = changeSubscription(store, id, {
      ...billedChange(params),
      paymentBehavior: params.payment_behavior,
      cancelAtPeriodEnd: params.cancel_at_period_end,
      cancelAt: params.cancel_at,
      defaultPaymentMethodId: params.default_payment_method,
      pausedCollection: pauseOf(params.pause_collection),
      metadata: params.metadata,
    })
    return toWireSubscription(store, subscription)
  }),
  endpoint(
    'DELETE',
    `${path}/:id`,
    object({ cancellation_details: object({ comment: text }).optional() }),
    ({ store, params, id }) =>
      toWireSubscription(store, cancelSubscription(store, id, params.cancellation_details?.comment)),
  ),
]

function pauseOf(given: z.infer<typeof updateSubscriptionParams>['pause_collection']) {
  if (given == null) return given
  return { behavior: given.behavior, resumesAt: given.resumes_at ?? null }
}

/** Throws when a schedule manages the subscription's cancellation. */
function requireUnscheduled(
  { scheduleId }: SubscriptionRecord,
  { cancel_at: at, cancel_at_period_end: atPeriodEnd }: z.infer<typeof updateSubscriptionParams>,
) {
  if (scheduleId === null || (at === undefined && atPeriodEnd === undefined)) return
  throw invalid(
    `The subscription is managed by the subscription schedule \`${scheduleId}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
  )
}

type Wanted = z.infer<typeof listSubscriptionsParams>

function wantedSubscriptions(store: Store, wanted: Wanted): SubscriptionRecord[] {
  const { customer, test_clock: testClockId, status } = wanted
  const isWanted = (one: SubscriptionRecord) => hasStatus(one, status)
  if (customer !== undefined || testClockId === undefined) {
    return recordsOf(store, 'subscription', customer, isWanted)
  }
  return store.of('subscription').list((one) => one.testClockId === testClockId && isWanted(one))
}

/** Without a status, all but canceled ones match. */
function hasStatus({ status }: SubscriptionRecord, wanted: Wanted['status']) {
  if (wanted === undefined) return status !== 'canceled'
  return wanted === 'all' || status === wanted
}
