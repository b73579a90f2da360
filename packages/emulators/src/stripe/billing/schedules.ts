import { invalid } from '../errors.ts'
import type { Metadata, SchedulePhaseRecord, ScheduleRecord, SubscriptionRecord } from '../records.ts'
import type { World } from '../world.ts'
import { cancelSubscription } from './cancel.ts'
import { changeSubscription, periodEndOf } from './change.ts'
import { discountsOf } from './discount-wishes.ts'
import { addInterval } from './periods.ts'
import type { ProrationBehaviour } from './planning.ts'
import { recurringOf, requireOneKind, requirePrice } from './price-rules.ts'
import { itemChanges, phaseItems } from './schedule-phases.ts'
import { startSubscription } from './start.ts'
import { putSchedule, updateSubscription } from './subscription-changes.ts'

/** A phase as it is asked for. Without an end it lasts one interval of its first price. */
export type PhaseInput = {
  items: { priceId: string; quantity?: number | undefined }[]
  startDate?: number | 'now' | undefined
  endDate?: number | 'now' | undefined
  duration?: { interval: 'day' | 'week' | 'month' | 'year'; intervalCount: number } | undefined
  prorationBehavior?: ProrationBehaviour | undefined
  discounts?: SchedulePhaseRecord['discounts'] | undefined
  metadata?: Metadata | undefined
}

/** A schedule that takes over a running subscription; its one phase is the period of now. */
export function scheduleOfSubscription(
  world: World,
  subscriptionId: string,
  { metadata = {} }: { metadata?: Metadata } = {},
): ScheduleRecord {
  const subscription = world.of('subscription').get(subscriptionId, 'from_subscription')
  if (subscription.scheduleId) {
    throw invalid(
      `You cannot migrate a subscription that is already attached to a schedule: \`${subscription.scheduleId}\`.`,
      { param: 'from_subscription' },
    )
  }
  if (!['active', 'trialing', 'past_due'].includes(subscription.status)) {
    throw invalid(`You cannot migrate a subscription with status \`${subscription.status}\` to a schedule.`, {
      param: 'from_subscription',
    })
  }
  const [first] = subscription.items
  const now = world.now(subscription.testClockId)
  const schedule = {
    id: world.newId('sub_sched'),
    created: now,
    metadata,
    customerId: subscription.customerId,
    subscriptionId,
    releasedSubscriptionId: null,
    status: 'active' as const,
    endBehavior: 'release' as const,
    phases: [
      {
        startDate: first?.currentPeriodStart ?? now,
        endDate: periodEndOf(subscription.items),
        items: subscription.items.map(({ priceId, quantity }) => ({ priceId, quantity })),
        prorationBehavior: 'create_prorations' as const,
        discounts: subscription.discounts.map(({ couponId, promotionCodeId }) => ({
          couponId,
          promotionCodeId,
        })),
        metadata: {},
      },
    ],
    phaseIndex: 0,
    canceledAt: null,
    completedAt: null,
    releasedAt: null,
    testClockId: subscription.testClockId,
  }
  putSchedule(world, schedule, 'subscription_schedule.created')
  updateSubscription(world, subscriptionId, { scheduleId: schedule.id })
  return schedule
}

/** A schedule that begins a subscription of its own, now or later. */
export function createSchedule(
  world: World,
  {
    customerId,
    phases,
    startDate,
    endBehavior = 'release',
    metadata = {},
  }: {
    customerId: string
    phases: PhaseInput[]
    startDate?: number | 'now' | undefined
    endBehavior?: ScheduleRecord['endBehavior'] | undefined
    metadata?: Metadata
  },
): ScheduleRecord {
  const { testClockId } = world.of('customer').get(customerId, 'customer')
  const now = world.now(testClockId)
  const start = typeof startDate === 'number' ? startDate : now
  const schedule: ScheduleRecord = {
    id: world.newId('sub_sched'),
    created: now,
    metadata,
    customerId,
    subscriptionId: null,
    releasedSubscriptionId: null,
    status: 'not_started',
    endBehavior,
    phases: phasesOf(world, phases, { start, now, kept: [] }),
    phaseIndex: -1,
    canceledAt: null,
    completedAt: null,
    releasedAt: null,
    testClockId,
  }
  putSchedule(world, schedule, 'subscription_schedule.created')
  if (start > now) return schedule
  return enterNextPhase(world, schedule.id)
}

/** Sets what a schedule will do. The phase in force is named among the phases, from its own start. */
export function updateSchedule(
  world: World,
  id: string,
  {
    phases,
    endBehavior,
    metadata,
    prorationBehavior,
  }: {
    phases?: PhaseInput[] | undefined
    endBehavior?: ScheduleRecord['endBehavior'] | undefined
    metadata?: Metadata | undefined
    prorationBehavior?: ProrationBehaviour | undefined
  },
): ScheduleRecord {
  const before = requireLiving(world, id, 'update')
  const now = world.now(before.testClockId)
  const current = before.phases[before.phaseIndex]
  const next = phases
    ? phasesOf(world, phases, {
        start: current?.startDate ?? before.phases[0]?.startDate ?? now,
        now,
        kept: before.phases.flatMap(({ items }) => items),
      })
    : before.phases
  const phaseIndex =
    phases && current ? next.findIndex((phase) => isWithinPhase(phase, now)) : before.phaseIndex
  if (phases && current && phaseIndex === -1) {
    throw invalid('You must specify the current phase of the subscription schedule.', { param: 'phases' })
  }
  const schedule = putSchedule(
    world,
    {
      ...before,
      phases: next,
      phaseIndex,
      endBehavior: endBehavior ?? before.endBehavior,
      metadata: metadata ?? before.metadata,
    },
    'subscription_schedule.updated',
  )
  const phase = schedule.phases[phaseIndex]
  if (phases && phase && schedule.subscriptionId) {
    applyPhase(world, schedule.subscriptionId, {
      ...phase,
      prorationBehavior: prorationBehavior ?? phase.prorationBehavior,
    })
  }
  return schedule
}

/** Leaves the subscription as it is from now on. */
export function releaseSchedule(world: World, id: string): ScheduleRecord {
  const before = requireLiving(world, id, 'release')
  if (before.subscriptionId) updateSubscription(world, before.subscriptionId, { scheduleId: null })
  return putSchedule(
    world,
    {
      ...before,
      status: 'released',
      releasedAt: world.now(before.testClockId),
      releasedSubscriptionId: before.subscriptionId,
      subscriptionId: null,
    },
    'subscription_schedule.released',
  )
}

/** Ends the schedule and its subscription at once. */
export function cancelSchedule(
  world: World,
  id: string,
  {
    invoiceNow = false,
    prorate = false,
  }: { invoiceNow?: boolean | undefined; prorate?: boolean | undefined } = {},
): ScheduleRecord {
  const before = requireLiving(world, id, 'cancel')
  if (before.subscriptionId) {
    cancelSubscription(world, before.subscriptionId, { invoiceNow, prorate })
    return world.of('schedule').get(id)
  }
  const canceledAt = world.now(before.testClockId)
  return putSchedule(world, { ...before, status: 'canceled', canceledAt }, 'subscription_schedule.canceled')
}

/** The next phase begins, or after the last one the schedule lets its subscription go or ends it. */
export function enterNextPhase(world: World, id: string): ScheduleRecord {
  const before = world.of('schedule').get(id)
  const phaseIndex = before.phaseIndex + 1
  const phase = before.phases[phaseIndex]
  if (!phase) return finishSchedule(world, before)
  if (before.subscriptionId === null) {
    const subscription = startSubscription(world, {
      customerId: before.customerId,
      items: phase.items,
      discounts: phase.discounts,
      metadata: phase.metadata,
      isUnattended: true,
    })
    updateSubscription(world, subscription.id, { scheduleId: id })
    return putSchedule(
      world,
      { ...before, status: 'active', phaseIndex, subscriptionId: subscription.id },
      'subscription_schedule.updated',
    )
  }
  const schedule = putSchedule(world, { ...before, phaseIndex }, 'subscription_schedule.updated')
  applyPhase(world, before.subscriptionId, phase)
  return schedule
}

function finishSchedule(world: World, before: ScheduleRecord): ScheduleRecord {
  if (before.endBehavior === 'release') return releaseSchedule(world, before.id)
  const completed = putSchedule(
    world,
    { ...before, status: 'completed', completedAt: world.now(before.testClockId) },
    'subscription_schedule.completed',
  )
  if (before.subscriptionId) cancelSubscription(world, before.subscriptionId)
  return completed
}

/**
 * Brings the subscription to what a phase says. At the end of a billing period only its items change, for the next
 * period is billed with them right after; within a period it is a change like any other.
 */
function applyPhase(world: World, subscriptionId: string, phase: SchedulePhaseRecord) {
  const subscription = world.of('subscription').get(subscriptionId)
  const now = world.now(subscription.testClockId)
  const { items, billingCycleAnchor } = phaseItems(world, subscription, phase, now)
  applyDiscounts(world, subscription, phase)
  const isAsIs = JSON.stringify(items.map(partsOf)) === JSON.stringify(subscription.items.map(partsOf))
  if (isAsIs) return
  if (periodEndOf(subscription.items) <= now) {
    updateSubscription(world, subscriptionId, { items, billingCycleAnchor })
    return
  }
  changeSubscription(world, subscriptionId, {
    items: itemChanges(subscription, phase),
    keptPrices: phase.items,
    prorationBehavior: phase.prorationBehavior,
  })
}

/** A phase has the discounts that it names and no others. */
function applyDiscounts(
  world: World,
  { id, customerId, discounts, testClockId, items }: SubscriptionRecord,
  phase: SchedulePhaseRecord,
) {
  const next = discountsOf(world, phase.discounts, {
    current: discounts,
    customerId,
    priceIds: items.map(({ priceId }) => priceId),
    testClockId,
    isLenient: true,
  })
  updateSubscription(world, id, { discounts: next })
}

function partsOf({ priceId, quantity }: { priceId: string; quantity: number }) {
  return [priceId, quantity]
}

function phasesOf(
  world: World,
  inputs: PhaseInput[],
  { start, now, kept }: { start: number; now: number; kept: { priceId: string }[] },
): SchedulePhaseRecord[] {
  let from = start
  return inputs.map((input, index) => {
    for (const [item, { priceId }] of input.items.entries()) {
      requirePrice(world, priceId, `phases[${index}][items][${item}][price]`, kept)
    }
    requireOneKind(world, input.items)
    const startDate = typeof input.startDate === 'number' ? input.startDate : from
    if (startDate !== from) {
      throw invalid('The start date of a phase must be the end date of the phase before it.', {
        param: `phases[${index}][start_date]`,
      })
    }
    const recurring = input.duration ?? recurringOf(world, input.items)
    const wanted = input.endDate === 'now' ? now : input.endDate
    const endDate = wanted ?? addInterval(startDate, recurring)
    if (endDate <= startDate) {
      throw invalid('The end date of a phase must be after its start date.', {
        param: `phases[${index}][end_date]`,
      })
    }
    from = endDate
    return {
      startDate,
      endDate,
      items: input.items.map(({ priceId, quantity }) => ({ priceId, quantity: quantity ?? 1 })),
      prorationBehavior: input.prorationBehavior ?? 'create_prorations',
      discounts: input.discounts ?? [],
      metadata: input.metadata ?? {},
    }
  })
}

function isWithinPhase({ startDate, endDate }: SchedulePhaseRecord, now: number) {
  return startDate <= now && now < endDate
}

function requireLiving(world: World, id: string, verb: string): ScheduleRecord {
  const schedule = world.of('schedule').get(id)
  if (schedule.status === 'active' || schedule.status === 'not_started') return schedule
  throw invalid(
    `You cannot ${verb} a subscription schedule that is in \`${schedule.status}\` status. It must be \`not_started\` or \`active\`.`,
  )
}
