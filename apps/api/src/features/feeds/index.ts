/**
 * Feeds of the newest editions, as RSS and JSON Feed.
 *
 * - public feed: summaries, for requesters who may read without a token
 * - member's feed: whole editions at a private address; its token replaces the gate pass and is stored hashed
 */
export type { NewestEditions } from './feed-documents.ts'
export { removeFeed } from './feeds.repository.ts'
export { registerFeedRoutes, registerMemberFeedRoutes } from './feeds.routes.ts'
export { createFeedService } from './feeds.service.ts'
