/** The live feed: new, changed and withdrawn memos, and TYPING of a comment channel, over one WebSocket per reader. */
export { announceEdition, announceMemo } from './live-feed.jobs.ts'
export { registerLiveFeedRoutes } from './live-feed.routes.ts'
export { createLiveFeed } from './live-feed.service.ts'
export { restartGradually, restartSockets, serviceRestart } from './service-restart.ts'
export { createSubscribers, type LiveSocket, policyViolation, slowSocketBytes } from './subscribers.ts'
