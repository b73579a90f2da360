/** Backups: when the last one was made. */
export { exportBackups } from './backup-metrics.ts'
export { readBackups } from './backups.repository.ts'
