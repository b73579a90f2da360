import type { Store } from '../../store/store.ts'
import type { ScheduleRecord } from '../subscription/subscription.record.ts'
import { toWireSchedule } from '../subscription/subscription.ts'

/** Puts a schedule and tells of it. */
export function putSchedule(store: Store, schedule: ScheduleRecord, type: string): ScheduleRecord {
  store.of('schedule').put(schedule)
  store.emit(type, toWireSchedule(store, schedule), { testClockId: schedule.testClockId })
  return schedule
}

/** Whether a schedule still has something to do. */
export function isActiveSchedule({ status }: ScheduleRecord): boolean {
  return status === 'active'
}

/** Cancels a schedule whose subscription ends. */
export function cancelSchedule(store: Store, id: string): ScheduleRecord {
  const schedule = store.of('schedule').get(id)
  const canceledAt = store.now(schedule.testClockId)
  return putSchedule(store, { ...schedule, status: 'canceled', canceledAt }, 'subscription_schedule.canceled')
}
