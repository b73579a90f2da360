import type { Db } from '#platform/database.ts'
import { type NotificationChannel, notify } from '#platform/notifications/notifications.ts'

/** The ids of runs whose state or counts have changed. */
export const progressChannel: NotificationChannel = 'tidings_delivery_progress'

/** Tells open desks that a run's state changes with this transaction. */
export async function announceProgress(tx: Db, runId: number): Promise<void> {
  await notify(tx, progressChannel, String(runId))
}
