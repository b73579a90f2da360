import type { z } from 'zod'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { retrieve } from '../../http/retrieve.ts'
import { search, searchParams } from '../../http/search.ts'
import { invalid, resourceMissing } from '../../protocol/errors.ts'
import { isWithin, listOf } from '../../protocol/list.ts'
import { newMetadata } from '../../protocol/metadata.ts'
import { boolean, choice, object, timestamp } from '../../protocol/params.ts'
import type { SubscriptionRecord } from '../../records/subscription.ts'
import { hasEnded } from '../../rules/running-subscriptions.ts'
import { toWireSubscription } from '../../wire/subscription.ts'
import type { World } from '../../world/world.ts'
import { changeSubscription } from '../changes/change.ts'
import { recordsOf } from '../records-of.ts'
import { updateSubscription } from '../standing/put-subscription.ts'
import { cancelSubscription, resumeSubscription } from './cancel.ts'
import { startSubscription } from './start.ts'
import {
  billingCycleAnchor,
  cancellationDetails,
  createSubscriptionParams,
  discountWishes,
  itemChangesOf,
  listSubscriptionsParams,
  prorationBehavior,
  updateSubscriptionParams,
} from './subscription-params.ts'

const path = '/subscriptions'

export const subscriptionEndpoints: Endpoint[] = [
  endpoint('POST', path, createSubscriptionParams, ({ world, params }) => {
    const subscription = startSubscription(world, {
      customerId: params.customer,
      items: params.items.map(({ price, quantity, metadata: pairs }) => ({
        priceId: price,
        quantity,
        metadata: newMetadata(pairs),
      })),
      onceItems: params.add_invoice_items?.map(({ price, quantity = 1 }) => ({ priceId: price, quantity })),
      discounts: discountWishes(params.discounts) ?? [],
      trialEnd: params.trial_end,
      trialPeriodDays: params.trial_period_days,
      trialEndBehaviour: params.trial_settings?.end_behavior.missing_payment_method,
      metadata: newMetadata(params.metadata),
      description: params.description,
      defaultPaymentMethodId: params.default_payment_method,
      savesDefaultPaymentMethod: savesCard(params),
      paymentBehavior: params.payment_behavior,
      cancelAtPeriodEnd: params.cancel_at_period_end,
      cancelAt: params.cancel_at,
    })
    return toWireSubscription(world, subscription)
  }),
  endpoint('GET', path, listSubscriptionsParams, ({ world, params }) =>
    listOf(wantedSubscriptions(world, params), params, `/v1${path}`, (one) => toWireSubscription(world, one)),
  ),
  endpoint('GET', `${path}/search`, object(searchParams), ({ world, params }) =>
    search(world.of('subscription').list(), params, {
      url: `/v1${path}/search`,
      look: ({ metadata: pairs, status }) => ({ metadata: pairs, fields: { status } }),
      toWire: (one) => toWireSubscription(world, one),
    }),
  ),
  retrieve(path, 'subscription', toWireSubscription),
  endpoint('POST', `${path}/:id`, updateSubscriptionParams, ({ world, params, id }) => {
    const before = world.of('subscription').get(id)
    refuseScheduledEnd(before, params)
    const { pause_collection: pause } = params
    const subscription = changeSubscription(world, id, {
      items: itemChangesOf(params.items),
      prorationBehavior: params.proration_behavior,
      prorationDate: params.proration_date,
      billingCycleAnchor: params.billing_cycle_anchor?.type,
      trialEnd: params.trial_end,
      paymentBehavior: params.payment_behavior,
      cancelAtPeriodEnd: params.cancel_at_period_end,
      cancelAt: params.cancel_at,
      cancellation: params.cancellation_details,
      discounts: discountWishes(params.discounts),
      defaultPaymentMethodId: params.default_payment_method,
      savesDefaultPaymentMethod: params.payment_settings ? savesCard(params) : undefined,
      metadata: params.metadata,
      description: params.description,
      pauseCollection: pause && { behavior: pause.behavior, resumesAt: pause.resumes_at ?? null },
      trialEndBehaviour: params.trial_settings?.end_behavior.missing_payment_method,
    })
    return toWireSubscription(world, subscription)
  }),
  endpoint(
    'DELETE',
    `${path}/:id`,
    object({
      cancellation_details: cancellationDetails.optional(),
      invoice_now: boolean.optional(),
      prorate: boolean.optional(),
    }),
    ({ world, params, id }) => {
      const subscription = cancelSubscription(world, id, {
        invoiceNow: params.invoice_now,
        prorate: params.prorate,
        comment: params.cancellation_details?.comment,
        feedback: params.cancellation_details?.feedback,
      })
      return toWireSubscription(world, subscription)
    },
  ),
  endpoint('DELETE', `${path}/:id/discount`, object({}), ({ world, id }) => {
    const [discount] = world.of('subscription').get(id).discounts
    if (!discount) throw resourceMissing('discount', id)
    updateSubscription(world, id, { discounts: [] })
    return { id: discount.id, object: 'discount', deleted: true }
  }),
  endpoint(
    'POST',
    `${path}/:id/resume`,
    object({
      billing_cycle_anchor: billingCycleAnchor.optional(),
      payment_behavior: choice('resume_on_payment_attempt').optional(),
      proration_behavior: prorationBehavior.optional(),
      proration_date: timestamp.optional(),
    }),
    ({ world, params, id }) => {
      const resumed = resumeSubscription(world, id, {
        billingCycleAnchor: params.billing_cycle_anchor?.type,
      })
      return toWireSubscription(world, resumed)
    },
  ),
]

function savesCard({
  payment_settings: settings,
}: Pick<z.infer<typeof createSubscriptionParams>, 'payment_settings'>) {
  return settings?.save_default_payment_method === 'on_subscription'
}

/** What a schedule manages is ended by the schedule. */
function refuseScheduledEnd(
  { scheduleId }: SubscriptionRecord,
  { cancel_at: at, cancel_at_period_end: atPeriodEnd }: z.infer<typeof updateSubscriptionParams>,
) {
  if (scheduleId === null || (at === undefined && atPeriodEnd === undefined)) return
  throw invalid(
    `The subscription is managed by the subscription schedule \`${scheduleId}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
  )
}

type Wanted = z.infer<typeof listSubscriptionsParams>

function wantedSubscriptions(world: World, wanted: Wanted): SubscriptionRecord[] {
  const { customer, test_clock: testClockId, status, price } = wanted
  const isWanted = (one: SubscriptionRecord) =>
    hasStatus(one, status) &&
    (price === undefined || one.items.some(({ priceId }) => priceId === price)) &&
    isWithin(wanted.created, one.created) &&
    one.items.some(({ currentPeriodEnd }) => isWithin(wanted.current_period_end, currentPeriodEnd)) &&
    one.items.some(({ currentPeriodStart }) => isWithin(wanted.current_period_start, currentPeriodStart)) &&
    wanted.collection_method !== 'send_invoice'
  if (customer !== undefined || testClockId === undefined) {
    return recordsOf(world, 'subscription', customer, isWanted)
  }
  return world.of('subscription').list((one) => one.testClockId === testClockId && isWanted(one))
}

/** Without a status all but the canceled ones are meant. */
function hasStatus(subscription: SubscriptionRecord, wanted: Wanted['status']) {
  const { status } = subscription
  if (wanted === undefined) return status !== 'canceled'
  if (wanted === 'all') return true
  return wanted === 'ended' ? hasEnded(subscription) : status === wanted
}
