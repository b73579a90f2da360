import type { z } from 'zod'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { retrieve } from '../../http/retrieve.ts'
import { invalid, parameterMissing, resourceMissing } from '../../protocol/errors.ts'
import { isWithin, listing, listOf } from '../../protocol/list.ts'
import { changeMetadata, metadata, newMetadata } from '../../protocol/metadata.ts'
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
import type { DiscountRecord } from '../../records/catalogue.ts'
import type { ScheduleRecord } from '../../records/subscription.ts'
import { toWireSchedule } from '../../wire/subscription.ts'
import type { World } from '../../world/world.ts'
import { recordsOf } from '../records-of.ts'
import { prorationBehavior } from '../subscriptions/subscription-params.ts'
import type { PhaseInput } from './phase-input.ts'
import { releaseSchedule } from './run-schedule.ts'
import { cancelSchedule, createSchedule, scheduleOfSubscription, updateSchedule } from './schedules.ts'

const path = '/subscription_schedules'

const moment = choice('now').or(timestamp)

const discount = object({
  coupon: text.optional(),
  discount: text.optional(),
  promotion_code: text.optional(),
})

const phase = object({
  currency: currency.optional(),
  collection_method: choice('charge_automatically').optional(),
  discounts: emptyable(list(discount)).optional(),
  duration: object({
    interval: choice('day', 'month', 'week', 'year'),
    interval_count: integerBetween(1, 365).optional(),
  }).optional(),
  end_date: moment.optional(),
  items: list(object({ price: text, quantity: integerBetween(0, 999_999).optional() })),
  metadata: metadata.optional(),
  proration_behavior: prorationBehavior.optional(),
  start_date: moment.optional(),
})

const shared = {
  end_behavior: choice('cancel', 'release').optional(),
  metadata: metadata.optional(),
  phases: list(phase).optional(),
}

export const scheduleEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    path,
    object({
      ...shared,
      customer: text.optional(),
      from_subscription: text.optional(),
      start_date: moment.optional(),
    }),
    ({ world, params }) => {
      const { from_subscription: subscriptionId, customer, phases } = params
      const pairs = newMetadata(params.metadata)
      if (subscriptionId !== undefined) {
        if (phases || customer || params.end_behavior || params.start_date) {
          throw invalid(
            'You cannot set any other parameter but `metadata` if `from_subscription` is set: update the schedule instead.',
            { param: 'from_subscription' },
          )
        }
        return toWireSchedule(world, scheduleOfSubscription(world, subscriptionId, { metadata: pairs }))
      }
      if (!customer) throw parameterMissing('customer')
      if (!phases) throw parameterMissing('phases')
      const schedule = createSchedule(world, {
        customerId: customer,
        phases: phases.map((one) => phaseInput(one, [])),
        startDate: params.start_date,
        endBehavior: params.end_behavior,
        metadata: pairs,
      })
      return toWireSchedule(world, schedule)
    },
  ),
  endpoint(
    'GET',
    path,
    object({ ...listing, customer: text.optional(), scheduled: boolean.optional() }),
    ({ world, params }) => {
      const isWanted = ({ status, created }: ScheduleRecord) =>
        (params.scheduled !== true || status === 'not_started') && isWithin(params.created, created)
      const found = recordsOf(world, 'schedule', params.customer, isWanted)
      return listOf(found, params, `/v1${path}`, (one) => toWireSchedule(world, one))
    },
  ),
  retrieve(path, 'schedule', toWireSchedule),
  endpoint(
    'POST',
    `${path}/:id`,
    object({ ...shared, proration_behavior: prorationBehavior.optional() }),
    ({ world, params, id }) => {
      const before = world.of('schedule').get(id)
      const schedule = updateSchedule(world, id, {
        phases: params.phases?.map((one) => phaseInput(one, discountsOfSchedule(world, before))),
        endBehavior: params.end_behavior,
        metadata: changeMetadata(before.metadata, params.metadata),
        prorationBehavior: params.proration_behavior,
      })
      return toWireSchedule(world, schedule)
    },
  ),
  endpoint('POST', `${path}/:id/release`, object({}), ({ world, id }) =>
    toWireSchedule(world, releaseSchedule(world, id)),
  ),
  endpoint(
    'POST',
    `${path}/:id/cancel`,
    object({ invoice_now: boolean.optional(), prorate: boolean.optional() }),
    ({ world, params, id }) => {
      const { invoice_now: invoiceNow, prorate } = params
      return toWireSchedule(world, cancelSchedule(world, id, { invoiceNow, prorate }))
    },
  ),
]

function discountsOfSchedule(world: World, { subscriptionId }: ScheduleRecord): DiscountRecord[] {
  return (subscriptionId && world.of('subscription').find(subscriptionId)?.discounts) || []
}

/** `current` are the discounts that a phase can name by their ids. */
function phaseInput(params: z.infer<typeof phase>, current: DiscountRecord[]): PhaseInput {
  const { items, duration } = params
  return {
    items: items.map(({ price, quantity }) => ({ priceId: price, quantity })),
    startDate: params.start_date,
    endDate: params.end_date,
    duration: duration && { interval: duration.interval, intervalCount: duration.interval_count ?? 1 },
    prorationBehavior: params.proration_behavior,
    discounts: params.discounts?.map(({ coupon, discount: id, promotion_code: code }) => {
      if (id === undefined) return { couponId: coupon ?? null, promotionCodeId: code ?? null }
      const kept = current.find((one) => one.id === id)
      if (!kept) throw resourceMissing('discount', id, 'phases')
      return { couponId: kept.couponId, promotionCodeId: kept.promotionCodeId }
    }),
    metadata: newMetadata(params.metadata),
  }
}
