import type { TestApp } from './test-app.ts'

let markers = 0

/** Resolves once a process has heard of every change so far: notifications come in the order of the commits. */
export async function waitForNotifications({ context }: Pick<TestApp, 'context'>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  markers += 1
  const marker = `marker-${markers}`
  context.notifications.on('tidings_invalidate', (payload) => {
    if (payload === marker) resolve()
  })
  await context.database.pool.query('SELECT pg_notify($1, $2)', ['tidings_invalidate', marker])
  await promise
}

/** Ends the connections on which the processes of a database hear of changes, as a restarted server would. */
export async function terminateListeners({ context }: Pick<TestApp, 'context'>): Promise<void> {
  await context.database.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE '%listener'`,
  )
}
