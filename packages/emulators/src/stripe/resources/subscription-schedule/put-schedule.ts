import type { World } from '../../store/store.ts'
import type { ScheduleRecord } from '../subscription/subscription.record.ts'
import { toWireSchedule } from '../subscription/subscription.ts'

/** Puts a schedule and tells of it. */
export function putSchedule(world: World, schedule: ScheduleRecord, type: string): ScheduleRecord {
  world.of('schedule').put(schedule)
  world.emit(type, toWireSchedule(world, schedule), { testClockId: schedule.testClockId })
  return schedule
}

/** Whether a schedule still has something to do. */
export function isLiving({ status }: ScheduleRecord): boolean {
  return status === 'active'
}

/** Cancels a schedule whose subscription ends. */
export function cancelSchedule(world: World, id: string): ScheduleRecord {
  const schedule = world.of('schedule').get(id)
  const canceledAt = world.now(schedule.testClockId)
  return putSchedule(world, { ...schedule, status: 'canceled', canceledAt }, 'subscription_schedule.canceled')
}
