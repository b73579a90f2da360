import type { z } from 'zod'
import { invalid } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import {
  boolean,
  choice,
  emptyable,
  integerBetween,
  list,
  object,
  text,
  timestamp,
} from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import { discountChoice } from '../coupon/discount.ts'
import { type Endpoint, endpoint, recordsOf, retrieve } from '../endpoint.ts'
import { nextPeriodEnd } from '../price/periods.ts'
import { recurringOf } from '../price/price.ts'
import { oneItem, prorationBehavior } from '../subscription/subscription.params.ts'
import { releaseSchedule, scheduleOfSubscription, updateSchedule } from './subscription-schedule.rules.ts'
import { type SchedulePhaseRecord, toWireSchedule } from './subscription-schedule.ts'

const path = '/subscription_schedules'

const phase = object({
  discounts: emptyable(list(discountChoice)).optional(),
  duration: object({
    interval: choice('month', 'year'),
    interval_count: integerBetween(1, 365).optional(),
  }).optional(),
  end_date: timestamp.optional(),
  items: oneItem(object({ price: text, quantity: integerBetween(1, 999_999).optional() })),
  proration_behavior: prorationBehavior.optional(),
  start_date: timestamp.optional(),
})

export const scheduleEndpoints: Endpoint[] = [
  endpoint('POST', path, object({ from_subscription: text }), ({ store, params }) =>
    toWireSchedule(store, scheduleOfSubscription(store, params.from_subscription)),
  ),
  endpoint('GET', path, object({ ...pagination, customer: text.optional() }), ({ store, params }) => {
    const found = recordsOf(store, 'schedule', params.customer, () => true)
    return listOf(found, params, `/v1${path}`, (one) => toWireSchedule(store, one))
  }),
  retrieve(path, 'schedule', toWireSchedule),
  endpoint(
    'POST',
    `${path}/:id`,
    object({
      default_settings: object({ automatic_tax: object({ enabled: boolean }) }).optional(),
      end_behavior: choice('release').optional(),
      phases: list(phase),
      proration_behavior: prorationBehavior.optional(),
    }),
    ({ store, params, id }) =>
      toWireSchedule(
        store,
        updateSchedule(store, id, {
          phases: phasesOf(store, params.phases),
          automaticTax: params.default_settings?.automatic_tax.enabled ?? false,
        }),
      ),
  ),
  endpoint('POST', `${path}/:id/release`, object({}), ({ store, id }) =>
    toWireSchedule(store, releaseSchedule(store, id)),
  ),
]

/** Each phase begins where the one before it ends; without an end it lasts one interval of its price. */
function phasesOf(store: Store, inputs: z.infer<typeof phase>[]): SchedulePhaseRecord[] {
  let from: number | undefined
  return inputs.map(({ items: [item], duration, ...input }, index) => {
    const startDate = input.start_date ?? from
    if (startDate === undefined) {
      throw invalid('The first phase needs a start date.', { param: `phases[${index}][start_date]` })
    }
    const recurring = duration
      ? { interval: duration.interval, intervalCount: duration.interval_count ?? 1 }
      : recurringOf(store, item.price)
    const endDate = input.end_date ?? nextPeriodEnd(startDate, startDate, recurring)
    from = endDate
    return {
      startDate,
      endDate,
      priceId: item.price,
      quantity: item.quantity ?? 1,
      prorationBehavior: input.proration_behavior ?? 'create_prorations',
      discounts: (input.discounts ?? []).map(({ coupon, promotion_code: code }) => ({
        couponId: coupon ?? null,
        promotionCodeId: code ?? null,
      })),
    }
  })
}
