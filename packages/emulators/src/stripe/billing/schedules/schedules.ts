import { invalid } from '../../protocol/errors.ts'
import { given } from '../../protocol/params.ts'
import type { Metadata } from '../../records/common.ts'
import type { SchedulePhaseRecord, ScheduleRecord, SubscriptionRecord } from '../../records/subscription.ts'
import { periodEndOf, periodStartOf } from '../../rules/item-periods.ts'
import { isWithinPhase } from '../../rules/schedule-phases.ts'
import type { World } from '../../world/world.ts'
import type { ProrationBehaviour } from '../changes/planning.ts'
import { cancelScheduleAlone, putSchedule } from '../standing/put-schedule.ts'
import { updateSubscription } from '../standing/put-subscription.ts'
import { cancelSubscription } from '../subscriptions/cancel.ts'
import { type PhaseInput, phasesOf } from './phase-input.ts'
import { applyPhase, enterNextPhase, requireLiving } from './run-schedule.ts'

/** A schedule that takes over a running subscription; its one phase is the period of now. */
export function scheduleOfSubscription(
  world: World,
  subscriptionId: string,
  { metadata = {} }: { metadata?: Metadata } = {},
): ScheduleRecord {
  const subscription = world.of('subscription').get(subscriptionId, 'from_subscription')
  requireSchedulable(subscription)
  const { customerId, items, discounts, testClockId } = subscription
  const phase: SchedulePhaseRecord = {
    startDate: periodStartOf(items),
    endDate: periodEndOf(items),
    items: items.map(({ priceId, quantity }) => ({ priceId, quantity })),
    prorationBehavior: 'create_prorations',
    discounts: discounts.map(({ couponId, promotionCodeId }) => ({ couponId, promotionCodeId })),
    metadata: {},
  }
  const schedule = createWith(world, {
    customerId,
    subscriptionId,
    metadata,
    testClockId,
    status: 'active',
    endBehavior: 'release',
    phases: [phase],
    phaseIndex: 0,
  })
  updateSubscription(world, subscriptionId, { scheduleId: schedule.id })
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

type NewSchedule = {
  customerId: string
  phases: PhaseInput[]
  /** Now, when it is not said. */
  startDate?: number | 'now' | undefined
  endBehavior?: ScheduleRecord['endBehavior'] | undefined
  metadata?: Metadata
}

/** A schedule that begins a subscription of its own, now or later. */
export function createSchedule(
  world: World,
  { customerId, phases, startDate, endBehavior = 'release', metadata = {} }: NewSchedule,
): ScheduleRecord {
  const { testClockId } = world.of('customer').get(customerId, 'customer')
  const now = world.now(testClockId)
  const start = typeof startDate === 'number' ? startDate : now
  const schedule = createWith(world, {
    customerId,
    subscriptionId: null,
    metadata,
    testClockId,
    status: 'not_started',
    endBehavior,
    phases: phasesOf(world, phases, { start, now, kept: [] }),
    phaseIndex: -1,
  })
  return start > now ? schedule : enterNextPhase(world, schedule.id)
}

type Ends = Pick<ScheduleRecord, 'releasedSubscriptionId' | 'canceledAt' | 'completedAt' | 'releasedAt'>

function createWith(
  world: World,
  fields: Omit<ScheduleRecord, 'id' | 'created' | keyof Ends>,
): ScheduleRecord {
  const ends: Ends = { releasedSubscriptionId: null, canceledAt: null, completedAt: null, releasedAt: null }
  const created = world.now(fields.testClockId)
  const schedule = { id: world.newId('sub_sched'), created, ...ends, ...fields }
  return putSchedule(world, schedule, 'subscription_schedule.created')
}

type ScheduleChange = {
  phases?: PhaseInput[] | undefined
  endBehavior?: ScheduleRecord['endBehavior'] | undefined
  metadata?: Metadata | undefined
  /** How the phase in force is brought in, instead of what that phase says. */
  prorationBehavior?: ProrationBehaviour | undefined
}

/** Sets what a schedule will do. The phase in force is named among the phases, from its own start. */
export function updateSchedule(world: World, id: string, change: ScheduleChange): ScheduleRecord {
  const before = requireLiving(world, id, 'update')
  const schedule = putSchedule(
    world,
    {
      ...before,
      ...(change.phases ? phasesAfter(world, before, change.phases) : {}),
      endBehavior: given(change.endBehavior, before.endBehavior),
      metadata: given(change.metadata, before.metadata),
    },
    'subscription_schedule.updated',
  )
  const phase = schedule.phases[schedule.phaseIndex]
  if (change.phases && phase && schedule.subscriptionId) {
    const prorationBehavior = given(change.prorationBehavior, phase.prorationBehavior)
    applyPhase(world, schedule.subscriptionId, { ...phase, prorationBehavior })
  }
  return schedule
}

function phasesAfter(
  world: World,
  { phases, phaseIndex, testClockId }: ScheduleRecord,
  inputs: PhaseInput[],
): Pick<ScheduleRecord, 'phases' | 'phaseIndex'> {
  const now = world.now(testClockId)
  const current = phases[phaseIndex]
  const next = phasesOf(world, inputs, {
    start: current?.startDate ?? phases[0]?.startDate ?? now,
    now,
    kept: phases.flatMap(({ items }) => items),
  })
  if (!current) return { phases: next, phaseIndex }
  const nextIndex = next.findIndex((phase) => isWithinPhase(phase, now))
  if (nextIndex === -1) {
    throw invalid('You must specify the current phase of the subscription schedule.', { param: 'phases' })
  }
  return { phases: next, phaseIndex: nextIndex }
}

/** Ends the schedule and its subscription at once. Throws when the schedule is over. */
export function cancelSchedule(
  world: World,
  id: string,
  {
    invoiceNow = false,
    prorate = false,
  }: { invoiceNow?: boolean | undefined; prorate?: boolean | undefined } = {},
): ScheduleRecord {
  const { subscriptionId } = requireLiving(world, id, 'cancel')
  if (!subscriptionId) return cancelScheduleAlone(world, id)
  cancelSubscription(world, subscriptionId, { invoiceNow, prorate })
  return world.of('schedule').get(id)
}
