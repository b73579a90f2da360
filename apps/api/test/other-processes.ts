import type { TestApp } from './test-app.ts'

let markers = 0

/** Waits until a process has received every notification so far; they arrive in commit order. */
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

/** Terminates the listener connections of all processes, as a database restart does. */
export async function terminateListeners({ context }: Pick<TestApp, 'context'>): Promise<void> {
  await context.database.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE '%listener'`,
  )
}
