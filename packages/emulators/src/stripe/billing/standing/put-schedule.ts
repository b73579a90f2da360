import type { ScheduleRecord } from '../../records/subscription.ts'
import { toWireSchedule } from '../../wire/subscription.ts'
import type { World } from '../../world/world.ts'

/** Puts a schedule and tells of it. */
export function putSchedule(world: World, schedule: ScheduleRecord, type: string): ScheduleRecord {
  world.of('schedule').put(schedule)
  world.emit(type, toWireSchedule(world, schedule), { testClockId: schedule.testClockId })
  return schedule
}

/** Whether a schedule still has something to do. */
export function isLiving({ status }: ScheduleRecord): boolean {
  return status === 'active' || status === 'not_started'
}

/** Cancels a schedule alone, whatever becomes of its subscription. One that is over stays as it is. */
export function cancelScheduleAlone(world: World, id: string): ScheduleRecord {
  const schedule = world.of('schedule').get(id)
  if (!isLiving(schedule)) return schedule
  const canceledAt = world.now(schedule.testClockId)
  return putSchedule(world, { ...schedule, status: 'canceled', canceledAt }, 'subscription_schedule.canceled')
}
