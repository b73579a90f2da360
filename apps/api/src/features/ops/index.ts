/** Operations: health, readiness, metrics and scheduled clean-up. */
export { readDisk } from './disk.ts'
export { createHeartbeat, findWorkerFailure, heartbeatFileOf } from './heartbeat.ts'
export { cleanUp } from './ops.jobs.ts'
export { registerOpsRoutes } from './ops.routes.ts'
export { registerProcessRoutes } from './process.routes.ts'
export { exportProcess } from './process-metrics.ts'
export { createReadiness } from './readiness/readiness.ts'
