import { invalid } from '../../protocol/errors.ts'
import type { Store } from '../../store/store.ts'
import { discountsOf } from '../coupon/discount.ts'
import { requirePrice, requireSameCurrency } from '../price/price.ts'
import { type SubscriptionRecord, updateSubscription } from '../subscription/subscription.ts'
import {
  isActiveSchedule,
  isWithinPhase,
  putSchedule,
  type SchedulePhaseRecord,
  type ScheduleRecord,
  withPhase,
} from './subscription-schedule.ts'

/** Creates a schedule that takes over a running subscription; its one phase is the current period. */
export function scheduleOfSubscription(store: Store, subscriptionId: string): ScheduleRecord {
  const subscription = store.of('subscription').get(subscriptionId, 'from_subscription')
  requireSchedulable(subscription)
  const { customerId, item, discounts, automaticTax, testClockId } = subscription
  const phase: SchedulePhaseRecord = {
    startDate: item.currentPeriodStart,
    endDate: item.currentPeriodEnd,
    priceId: item.priceId,
    quantity: item.quantity,
    prorationBehavior: 'create_prorations',
    discounts: discounts.map(({ couponId, promotionCodeId }) => ({ couponId, promotionCodeId })),
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

/** Sets what a schedule will do. The first phase is the one in force. */
export function updateSchedule(
  store: Store,
  id: string,
  { phases, automaticTax }: Pick<ScheduleRecord, 'phases' | 'automaticTax'>,
): ScheduleRecord {
  const before = requireActiveSchedule(store, id, 'update')
  const { phaseIndex } = requireFittingPhases(store, before, phases)
  return putSchedule(store, { ...before, phases, phaseIndex, automaticTax }, 'subscription_schedule.updated')
}

/** Phases follow each other, hold the one in force, and can be billed when their time comes. */
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

/** The next phase begins; after the last one the schedule releases its subscription. */
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
  // Only the item changes: the next period is billed with it right after.
  updateSubscription(store, subscription.id, {
    ...withPhase(store, subscription, phase, now),
    automaticTax: before.automaticTax,
    discounts: discountsOf(store, phase.discounts, subscription, { isLenient: true }),
  })
}

/** Leaves the subscription as it is from now on. Throws when the schedule has ended. */
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
  if (isActiveSchedule(schedule)) return schedule
  throw invalid(
    `You cannot ${verb} a subscription schedule that is in \`${schedule.status}\` status. It must be \`not_started\` or \`active\`.`,
  )
}
