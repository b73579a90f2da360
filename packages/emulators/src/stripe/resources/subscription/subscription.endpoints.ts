import type { z } from 'zod'
import { invalid } from '../../protocol/errors.ts'
import { isWithin, listOf } from '../../protocol/list.ts'
import { newMetadata, object, text } from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import { type Endpoint, endpoint, recordsOf, retrieve } from '../endpoint.ts'
import { changeSubscription } from './change-subscription.ts'
import { startSubscription } from './start-subscription.ts'
import {
  billedChange,
  createSubscriptionParams,
  listSubscriptionsParams,
  updateSubscriptionParams,
} from './subscription.params.ts'
import { hasEnded, type SubscriptionRecord, toWireSubscription } from './subscription.ts'
import { cancelSubscription } from './subscription-status.ts'

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

/** What a schedule manages is ended by the schedule. */
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
  const { customer, test_clock: testClockId, status, price } = wanted
  const isWanted = (one: SubscriptionRecord) =>
    hasStatus(one, status) &&
    (price === undefined || one.item.priceId === price) &&
    isWithin(wanted.created, one.created)
  if (customer !== undefined || testClockId === undefined) {
    return recordsOf(store, 'subscription', customer, isWanted)
  }
  return store.of('subscription').list((one) => one.testClockId === testClockId && isWanted(one))
}

/** Without a status all but the canceled ones are meant. */
function hasStatus(subscription: SubscriptionRecord, wanted: Wanted['status']) {
  const { status } = subscription
  if (wanted === undefined) return status !== 'canceled'
  if (wanted === 'all') return true
  return wanted === 'ended' ? hasEnded(subscription) : status === wanted
}
