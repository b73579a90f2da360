/** What operators need: health, readiness, metrics, and scheduled clean-up. */
export { cleanUp, removeEndedLimits } from './clean-up.ts'
export { createHeartbeat, findSilence } from './heartbeat.ts'
export { registerOpsRoutes } from './ops.routes.ts'
export { createReadiness } from './readiness.ts'
