/** The live feed: NEW_MEMO, and TYPING of a channel, over one WebSocket for each reader. */
export { registerLiveFeedRoutes } from './live-feed.routes.ts'
export { createLiveFeed } from './live-feed.service.ts'
export { createSocketHub } from './socket-hub.ts'
