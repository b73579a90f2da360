/** Operations: health, readiness, metrics and scheduled clean-up. */
export { cleanUp, removeExpiredLimits } from './clean-up.ts'
export { createHeartbeat, findWorkerFailure } from './heartbeat.ts'
export { registerOpsRoutes } from './ops.routes.ts'
export { createReadiness } from './readiness.ts'
