import type { SchedulePhaseRecord, SubscriptionRecord } from '../../records/subscription.ts'
import type { World } from '../../world/world.ts'

/** The phase that a subscription changes to at its next one; undefined when its schedule has none, or it has no schedule. */
export function pendingSwitch(
  world: World,
  { scheduleId, testClockId }: SubscriptionRecord,
): SchedulePhaseRecord | undefined {
  const schedule = scheduleId ? world.of('schedule').find(scheduleId) : undefined
  if (schedule?.status !== 'active') return undefined
  const now = world.now(testClockId)
  return schedule.phases.find(({ startDate }) => startDate > now)
}
