import type pg from 'pg'
import type { Metrics } from '../metrics.ts'
import type { Notifications } from '../notifications/notifications.ts'

/** Exports how busy the connection pool of this process is. */
export function exportPool(metrics: Metrics, pool: pg.Pool): void {
  metrics.gauge({
    name: 'tidings_database_pool_connections',
    help: 'Database connections of the pool of this process, in use and idle',
    labelNames: ['state'],
    collect() {
      this.set({ state: 'in_use' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
    },
  })
  metrics.gauge({
    name: 'tidings_database_pool_max_connections',
    help: 'DATABASE_CONNECTIONS of this process',
    collect() {
      this.set(pool.options.max)
    },
  })
  metrics.gauge({
    name: 'tidings_database_pool_waiting',
    help: 'Queries that wait for a connection of the pool of this process',
    collect() {
      this.set(pool.waitingCount)
    },
  })
}

/** Exports whether notifications arrive, for a process that needs them. */
export function exportListener(metrics: Metrics, notifications: Pick<Notifications, 'isListening'>): void {
  metrics.gauge({
    name: 'tidings_database_listener_connected',
    help: '1 while this process receives notifications of the database, 0 while it caches nothing',
    collect() {
      this.set(notifications.isListening() ? 1 : 0)
    },
  })
}
