import type { z } from 'zod'
import { type Endpoint, endpoint, recordsOf, retrieve } from '../../endpoints/endpoint.ts'
import { invalid } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import {
  boolean,
  changeMetadata,
  choice,
  emptyable,
  integerBetween,
  list,
  metadata,
  object,
  text,
  timestamp,
} from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import {
  type DiscountRecord,
  discountInput,
  discountsOfPhase,
  type PhaseDiscount,
} from '../products/discount.ts'
import { nextPeriodEnd } from '../products/periods.ts'
import { recurringOf, requirePrice, requireSameCurrency } from '../products/price.ts'
import { oneItem, prorationBehavior } from './subscription.endpoints.ts'
import { type SubscriptionRecord, updateSubscription } from './subscription.ts'
import {
  isWithinPhase,
  putSchedule,
  type SchedulePhaseRecord,
  type ScheduleRecord,
  toWireSchedule,
  withPhase,
} from './subscription-schedule.ts'

/** Creates a schedule for a running subscription. Its one phase is the current period. */
function scheduleOfSubscription(store: Store, subscriptionId: string): ScheduleRecord {
  const subscription = store.of('subscription').get(subscriptionId, 'from_subscription')
  requireSchedulable(subscription)
  const { customerId, item, discounts, automaticTax, testClockId } = subscription
  const phase: SchedulePhaseRecord = {
    startDate: item.currentPeriodStart,
    endDate: item.currentPeriodEnd,
    priceId: item.priceId,
    quantity: item.quantity,
    prorationBehavior: 'create_prorations',
    discounts: discounts.map((kept) => ({ kept })),
    itemDiscounts: (item.discounts ?? []).map((kept) => ({ kept })),
  }
  const schedule = putSchedule(
    store,
    {
      id: store.newId('sub_sched'),
      created: store.now(testClockId),
      metadata: {},
      customerId,
      subscriptionId,
      releasedSubscriptionId: null,
      status: 'active',
      phases: [phase],
      automaticTax,
      phaseIndex: 0,
      canceledAt: null,
      releasedAt: null,
      testClockId,
    },
    'subscription_schedule.created',
  )
  updateSubscription(store, subscriptionId, { scheduleId: schedule.id })
  return schedule
}

function requireSchedulable({ scheduleId, status }: SubscriptionRecord) {
  const param = 'from_subscription'
  if (scheduleId) {
    const message = `You cannot migrate a subscription that is already attached to a schedule: \`${scheduleId}\`.`
    throw invalid(message, { param })
  }
  if (!['active', 'trialing', 'past_due'].includes(status)) {
    throw invalid(`You cannot migrate a subscription with status \`${status}\` to a schedule.`, { param })
  }
}

/** Replaces the phases of a schedule. */
function updateSchedule(
  store: Store,
  id: string,
  { phases, ...changes }: Pick<ScheduleRecord, 'phases' | 'automaticTax' | 'metadata'>,
): ScheduleRecord {
  const before = requireActiveSchedule(store, id, 'update')
  const { phaseIndex } = requireFittingPhases(store, before, phases)
  applyItemDiscounts(store, before.subscriptionId ?? '', phases[phaseIndex])
  return putSchedule(store, { ...before, ...changes, phases, phaseIndex }, 'subscription_schedule.updated')
}

/** The current phase applies to the subscription at once: its item loses discounts that the phase doesn't name. */
function applyItemDiscounts(store: Store, id: string, phase: SchedulePhaseRecord | undefined) {
  const subscription = store.of('subscription').get(id)
  const { item } = subscription
  const owner = { ...subscription, discounts: item.discounts ?? [] }
  const discounts = discountsOfPhase(store, phase?.itemDiscounts ?? [], owner)
  updateSubscription(store, id, { item: { ...item, discounts } })
}

/** Throws unless the phases are consecutive, contain the current one, and have valid prices. */
function requireFittingPhases(
  store: Store,
  { phases: former, phaseIndex, subscriptionId, testClockId }: ScheduleRecord,
  phases: SchedulePhaseRecord[],
) {
  const subscription = store.of('subscription').get(subscriptionId ?? '')
  const kept = former.map(({ priceId }) => priceId)
  let from = former[phaseIndex]?.startDate
  for (const [index, { startDate, endDate, priceId }] of phases.entries()) {
    const param = `phases[${index}]`
    if (startDate !== from) {
      throw invalid('The start date of a phase must be the end date of the phase before it.', {
        param: `${param}[start_date]`,
      })
    }
    const price = requirePrice(store, priceId, `${param}[items][0][price]`, kept)
    requireSameCurrency(store, subscription, price, param)
    from = endDate
  }
  const now = store.now(testClockId)
  const current = phases.findIndex((phase) => isWithinPhase(phase, now))
  const { priceId, quantity } = phases[current] ?? {}
  if (priceId !== subscription.item.priceId || quantity !== subscription.item.quantity) {
    throw invalid('The current phase of the schedule must be among the phases, with its price.', {
      param: 'phases',
    })
  }
  return { phaseIndex: current }
}

/** Enters the next phase. After the last one, releases the subscription. */
export function enterNextPhase(store: Store, id: string): void {
  const before = store.of('schedule').get(id)
  const phaseIndex = before.phaseIndex + 1
  const phase = before.phases[phaseIndex]
  if (!phase || !before.subscriptionId) {
    releaseSchedule(store, id)
    return
  }
  putSchedule(store, { ...before, phaseIndex }, 'subscription_schedule.updated')
  const subscription = store.of('subscription').get(before.subscriptionId)
  const now = store.now(subscription.testClockId)
  // Only the item changes. The renewal that follows bills it.
  updateSubscription(store, subscription.id, {
    ...withPhase(store, subscription, phase, now),
    automaticTax: before.automaticTax,
    discounts: discountsOfPhase(store, phase.discounts, subscription),
  })
  applyItemDiscounts(store, subscription.id, phase)
}

/** Releases the subscription. Throws when the schedule has ended. */
export function releaseSchedule(store: Store, id: string): ScheduleRecord {
  const before = requireActiveSchedule(store, id, 'release')
  if (before.subscriptionId) updateSubscription(store, before.subscriptionId, { scheduleId: null })
  return putSchedule(
    store,
    {
      ...before,
      status: 'released',
      releasedAt: store.now(before.testClockId),
      releasedSubscriptionId: before.subscriptionId,
      subscriptionId: null,
    },
    'subscription_schedule.released',
  )
}

function requireActiveSchedule(store: Store, id: string, verb: 'release' | 'update'): ScheduleRecord {
  const schedule = store.of('schedule').get(id)
  if (schedule.status === 'active') return schedule
  throw invalid(
    `You cannot ${verb} a subscription schedule that is in \`${schedule.status}\` status. It must be \`not_started\` or \`active\`.`,
  )
}

const path = '/subscription_schedules'

const phase = object({
  discounts: emptyable(list(discountInput)).optional(),
  duration: object({
    interval: choice('month', 'year'),
    interval_count: integerBetween(1, 365).optional(),
  }).optional(),
  end_date: timestamp.optional(),
  items: oneItem(
    object({
      discounts: emptyable(list(discountInput)).optional(),
      price: text,
      quantity: integerBetween(1, 999_999).optional(),
    }),
  ),
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
      metadata: metadata.optional(),
      phases: list(phase),
      proration_behavior: prorationBehavior.optional(),
    }),
    ({ store, params, id }) =>
      toWireSchedule(
        store,
        updateSchedule(store, id, {
          phases: phasesOf(store, store.of('schedule').get(id), params.phases),
          automaticTax: params.default_settings?.automatic_tax.enabled ?? false,
          metadata: changeMetadata(store.of('schedule').get(id).metadata, params.metadata),
        }),
      ),
  ),
  endpoint('POST', `${path}/:id/release`, object({}), ({ store, id }) =>
    toWireSchedule(store, releaseSchedule(store, id)),
  ),
]

/** Each phase starts where the last one ends. Without an end it lasts one interval of its price. */
function phasesOf(
  store: Store,
  schedule: ScheduleRecord,
  inputs: z.infer<typeof phase>[],
): SchedulePhaseRecord[] {
  let from: number | undefined
  const phaseDiscounts = (wanted: z.infer<typeof phase>['discounts']) =>
    (wanted ?? []).map(
      ({ coupon, discount, promotion_code: code }): PhaseDiscount =>
        discount === undefined
          ? { couponId: coupon ?? null, promotionCodeId: code ?? null }
          : { kept: requireDiscount(store, schedule, discount) },
    )
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
      discounts: phaseDiscounts(input.discounts),
      itemDiscounts: phaseDiscounts(item.discounts),
    }
  })
}

/** Returns a discount of the subscription, or one that a phase has already. */
function requireDiscount(
  store: Store,
  { subscriptionId, phases }: ScheduleRecord,
  id: string,
): DiscountRecord {
  const { discounts, item } = store.of('subscription').get(subscriptionId ?? '')
  const inPhases = phases.flatMap((one) => [...one.discounts, ...(one.itemDiscounts ?? [])])
  const ofPhases = inPhases.flatMap((one) => ('kept' in one ? [one.kept] : []))
  const kept = [...discounts, ...(item.discounts ?? []), ...ofPhases].find((one) => one.id === id)
  if (kept) return kept
  throw invalid(`No such discount: '${id}'`, { code: 'resource_missing', param: 'phases[discounts]' })
}
