import { invalid } from '../../protocol/errors.ts'
import { changeMetadata } from '../../protocol/metadata.ts'
import type { SchedulePhaseRecord, ScheduleRecord, SubscriptionRecord } from '../../records/subscription.ts'
import { periodEndOf } from '../../rules/item-periods.ts'
import { phaseItems } from '../../rules/schedule-phases.ts'
import type { World } from '../../world/world.ts'
import { changeSubscription } from '../changes/change.ts'
import type { ItemChange } from '../changes/changed-items.ts'
import { discountsOf } from '../standing/discount-wishes.ts'
import { isLiving, putSchedule } from '../standing/put-schedule.ts'
import { updateSubscription } from '../standing/put-subscription.ts'
import { cancelSubscription } from '../subscriptions/cancel.ts'
import { startSubscription } from '../subscriptions/start.ts'

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

/** Leaves the subscription as it is from now on. Throws when the schedule is over. */
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

/**
 * Brings the subscription to what a phase says: its discounts and no others, its metadata besides what is there, and
 * its items. At the end of a billing period these only change, for the next period is billed with them right after, as
 * they do before the first payment; within a period it is a change like any other.
 */
export function applyPhase(world: World, subscriptionId: string, phase: SchedulePhaseRecord): void {
  const subscription = world.of('subscription').get(subscriptionId)
  const now = world.now(subscription.testClockId)
  const { items, billingCycleAnchor } = phaseItems(world, subscription, phase, now)
  updateSubscription(world, subscriptionId, {
    metadata: changeMetadata(subscription.metadata, phase.metadata),
    discounts: discountsOf(world, phase.discounts, {
      current: subscription.discounts,
      customerId: subscription.customerId,
      priceIds: subscription.items.map(({ priceId }) => priceId),
      testClockId: subscription.testClockId,
      isLenient: true,
    }),
  })
  const isAsIs = JSON.stringify(items.map(partsOf)) === JSON.stringify(subscription.items.map(partsOf))
  if (isAsIs) return
  if (periodEndOf(subscription.items) <= now || subscription.status === 'incomplete') {
    updateSubscription(world, subscriptionId, { items, billingCycleAnchor })
    return
  }
  changeSubscription(world, subscriptionId, {
    items: itemChanges(subscription, phase),
    keptPrices: phase.items,
    prorationBehavior: phase.prorationBehavior,
  })
}

function partsOf({ priceId, quantity }: { priceId: string; quantity: number }) {
  return [priceId, quantity]
}

/** A schedule that still has something to do. Throws for one that is over; `verb` is what it cannot be told any more. */
export function requireLiving(
  world: World,
  id: string,
  verb: 'cancel' | 'release' | 'update',
): ScheduleRecord {
  const schedule = world.of('schedule').get(id)
  if (isLiving(schedule)) return schedule
  throw invalid(
    `You cannot ${verb} a subscription schedule that is in \`${schedule.status}\` status. It must be \`not_started\` or \`active\`.`,
  )
}

/** What changes a subscription's items into a phase's. */
function itemChanges({ items }: SubscriptionRecord, phase: SchedulePhaseRecord): ItemChange[] {
  const kept = phase.items.map(({ priceId, quantity }, index) => {
    const same = items.find((item) => item.priceId === priceId) ?? items[index]
    return same ? { itemId: same.id, priceId, quantity } : { priceId, quantity }
  })
  const keptIds = new Set(kept.flatMap((change) => ('itemId' in change ? [change.itemId] : [])))
  const gone = items.filter(({ id }) => !keptIds.has(id)).map(({ id }) => ({ itemId: id, isDeleted: true }))
  return [...kept, ...gone]
}
