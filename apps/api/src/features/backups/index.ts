/** Backups: when the last one was made. */
export { exportBackups } from './backup-metrics.ts'
